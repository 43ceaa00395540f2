import { graphql } from "../../graph/graphql"
import { RECORDING_ROW } from "../../tables/recording-columns"

export const RECORDINGS = graphql(
  `
  query Recordings($projectId: ID!, $filter: SessionRecordingFilter, $first: Int!, $after: String) {
    sessionRecordings(projectId: $projectId, filter: $filter, first: $first, after: $after) {
      nodes {
        ...RecordingRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`,
  RECORDING_ROW,
)

export const RECORDING_CHANGES = graphql(`
  subscription RecordingChanges($projectId: ID!, $since: String) {
    sessionRecordingChanges(projectId: $projectId, since: $since) {
      cursor
      sessionId
      kind
    }
  }
`)
