import { graphql } from "../../graph/graphql"

export const RECORDINGS = graphql(`
  query Recordings($projectId: ID!, $filter: SessionRecordingFilter, $first: Int!, $after: String) {
    sessionRecordings(projectId: $projectId, filter: $filter, first: $first, after: $after) {
      nodes {
        id
        sessionId
        distinctId
        startTime
        startUrl
        recordingDuration
        clickCount
        consoleErrorCount
        ongoing
        viewed
        person {
          name
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`)
