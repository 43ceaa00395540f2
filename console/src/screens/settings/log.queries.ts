import { graphql } from "../../graph/graphql"

const LOG_ENTRIES = graphql(`
  fragment LogEntries on ActivityConnection {
    nodes {
      id
      scope
      activity
      itemId
      createdAt
      changes {
        field
        before
        after
      }
      user {
        id
        email
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
`)

export const LOG = graphql(
  `
  query Log($projectId: ID!, $isOutside: Boolean!, $scope: ActivityScope, $after: String, $first: Int!) {
    activityLog(projectId: $projectId, scope: $scope, after: $after, first: $first) @skip(if: $isOutside) {
      ...LogEntries
    }
    accountActivityLog(scope: $scope, after: $after, first: $first) @include(if: $isOutside) {
      ...LogEntries
    }
  }
`,
  LOG_ENTRIES,
)
