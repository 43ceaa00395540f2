import { graphql } from "../../../graph/graphql"

export const WAITING_CHANGES = graphql(`
  query WaitingFlagChanges($projectId: ID!, $flag: ID, $first: Int!) {
    featureFlagChangeRequests(projectId: $projectId, flagId: $flag, state: WAITING, first: $first) {
      totalCount
      nodes {
        id
        createdAt
        createdBy {
          id
          number
          email
        }
        flagKey
        featureFlag {
          id
        }
        changes {
          field
          before
          after
        }
      }
    }
  }
`)

export const APPROVE_CHANGE = graphql(`
  mutation ApproveFlagChange($input: ApproveFeatureFlagChangeInput!) {
    approveFeatureFlagChange(input: $input) {
      changeRequest {
        id
        featureFlag {
          id
          version
        }
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const REJECT_CHANGE = graphql(`
  mutation RejectFlagChange($input: RejectFeatureFlagChangeInput!) {
    rejectFeatureFlagChange(input: $input) {
      changeRequest {
        id
      }
      userErrors {
        field
        message
      }
    }
  }
`)
