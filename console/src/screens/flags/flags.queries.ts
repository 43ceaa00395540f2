import { graphql } from "../../graph/graphql"

export const FLAGS = graphql(`
  query Flags($projectId: ID!, $search: String, $after: String, $first: Int!) {
    featureFlags(projectId: $projectId, search: $search, after: $after, first: $first, orderBy: KEY) {
      nodes {
        id
        number
        key
        name
        active
        updatedAt
        filters {
          conditions {
            rolloutPercentage
            properties {
              key
            }
          }
          variants {
            key
          }
        }
      }
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
    }
    staleFeatureFlags(projectId: $projectId) {
      flag {
        id
      }
      lastCalledAt
    }
  }
`)

export const FLAG = graphql(`
  query Flag($projectId: ID!, $key: String!) {
    featureFlag(projectId: $projectId, by: { key: $key }) {
      id
      number
      key
      name
      active
      version
      updatedAt
      lastModifiedBy {
        email
      }
      dependents {
        key
      }
      filters {
        raw
      }
    }
  }
`)

export const FLAG_AUDIENCE = graphql(`
  query FlagAudience($projectId: ID!, $key: String!) {
    featureFlag(projectId: $projectId, by: { key: $key }) {
      id
      version
      audience {
        index
        affected
        total
        isEstimated
      }
    }
  }
`)

export const FLAG_HISTORY = graphql(`
  query FlagHistory($projectId: ID!, $key: String!) {
    featureFlag(projectId: $projectId, by: { key: $key }) {
      id
      activity(first: 50) {
        nodes {
          id
          activity
          createdAt
          user {
            email
          }
          changes {
            field
            before
            after
          }
        }
      }
    }
  }
`)

export const EXPLAIN_FLAG = graphql(`
  query ExplainFlag($projectId: ID!, $flag: ID!, $for: FlagExplanationInput!) {
    explainFlag(projectId: $projectId, flag: $flag, for: $for) {
      active
      decision {
        enabled
        variant
        payload
        reason {
          code
          description
        }
      }
      conditions {
        index
        matched
        outcome
        bucket
        rolloutPercentage
        filters {
          key
          type
          operator
          expected
          actual
          isSet
          matched
        }
      }
    }
  }
`)

export const CREATE_FLAG = graphql(`
  mutation CreateFlag($input: CreateFeatureFlagInput!) {
    createFeatureFlag(input: $input) {
      featureFlag {
        id
        key
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const UPDATE_FLAG = graphql(`
  mutation UpdateFlag($input: UpdateFeatureFlagInput!) {
    updateFeatureFlag(input: $input) {
      featureFlag {
        id
        version
      }
      userErrors {
        field
        message
      }
    }
  }
`)
