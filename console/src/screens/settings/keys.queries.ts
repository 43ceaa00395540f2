import { graphql } from "../../graph/graphql"

export const KEYS = graphql(`
  query Keys($number: Int!) {
    personalApiKeys {
      id
      label
      maskedValue
      scopes
      projectIds
      lastUsedAt
      createdAt
    }
    project(by: { number: $number }) {
      id
      keys {
        id
        token
        createdAt
      }
      secretKeys {
        id
        maskedValue
        createdAt
      }
    }
  }
`)

export const CREATE_PERSONAL_KEY = graphql(`
  mutation CreatePersonalKey($input: CreatePersonalApiKeyInput!) {
    createPersonalApiKey(input: $input) {
      personalApiKey {
        value
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const ROLL_PERSONAL_KEY = graphql(`
  mutation RollPersonalKey($id: ID!) {
    rollPersonalApiKey(input: { id: $id }) {
      personalApiKey {
        value
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const REVOKE_PERSONAL_KEY = graphql(`
  mutation RevokePersonalKey($id: ID!) {
    revokePersonalApiKey(input: { id: $id }) {
      personalApiKey {
        id
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const CREATE_PROJECT_KEY = graphql(`
  mutation CreateProjectKey($projectId: ID!) {
    createProjectKey(input: { projectId: $projectId }) {
      projectKey {
        id
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const REVOKE_PROJECT_KEY = graphql(`
  mutation RevokeProjectKey($projectId: ID!, $id: ID!) {
    revokeProjectKey(input: { projectId: $projectId, id: $id }) {
      revokedId
      userErrors {
        field
        message
      }
    }
  }
`)

export const CREATE_SECRET_KEY = graphql(`
  mutation CreateSecretKey($projectId: ID!) {
    createProjectSecretKey(input: { projectId: $projectId }) {
      projectSecretKey {
        value
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const REVOKE_SECRET_KEY = graphql(`
  mutation RevokeSecretKey($projectId: ID!, $id: ID!) {
    revokeProjectSecretKey(input: { projectId: $projectId, id: $id }) {
      revokedId
      userErrors {
        field
        message
      }
    }
  }
`)
