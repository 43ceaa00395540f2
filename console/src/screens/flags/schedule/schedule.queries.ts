import { graphql } from "../../../graph/graphql"

export const SCHEDULE = graphql(`
  query FlagSchedule($projectId: ID!, $key: String!, $first: Int!) {
    featureFlag(projectId: $projectId, by: { key: $key }) {
      id
      scheduledChanges(first: $first) {
        pageInfo {
          hasNextPage
        }
        nodes {
          id
          dueAt
          recurrence
          lastMadeAt
          failure
          createdBy {
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

export const PLAN_CHANGE = graphql(`
  mutation PlanFlagChange($input: CreateFeatureFlagScheduledChangeInput!) {
    createFeatureFlagScheduledChange(input: $input) {
      scheduledChange {
        id
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const REMOVE_PLAN = graphql(`
  mutation RemoveFlagPlan($input: DeleteFeatureFlagScheduledChangeInput!) {
    deleteFeatureFlagScheduledChange(input: $input) {
      deletedId
      userErrors {
        field
        message
      }
    }
  }
`)
