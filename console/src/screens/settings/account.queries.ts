import { graphql } from "../../graph/graphql"

export const ACCOUNT = graphql(`
  query Account {
    me {
      id
      email
      firstName
      lastName
      secondFactor {
        confirmedAt
        recoveryCodesLeft
      }
      sessions {
        id
        userAgent
        createdAt
        lastUsedAt
        isCurrent
      }
    }
  }
`)

export const UPDATE_ME = graphql(`
  mutation UpdateMe($input: UpdateMeInput!) {
    updateMe(input: $input) {
      me {
        id
        firstName
        lastName
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const CHANGE_PASSWORD = graphql(`
  mutation ChangePassword($input: ChangePasswordInput!) {
    changePassword(input: $input) {
      endedSessionCount
      userErrors {
        field
        message
      }
    }
  }
`)

export const REVOKE_SESSION = graphql(`
  mutation RevokeSession($id: ID!) {
    revokeSession(input: { id: $id }) {
      revokedId
      userErrors {
        field
        message
      }
    }
  }
`)
