import { graphql } from "../../graph/graphql"

export const RECORDING = graphql(`
  query Recording($projectId: ID!, $sessionId: ID!) {
    sessionRecording(projectId: $projectId, by: { sessionId: $sessionId }) {
      id
      sessionId
      distinctId
      startTime
      startUrl
      ongoing
      person {
        name
      }
      snapshotSources {
        blobKey
      }
      events(first: 100) {
        id
        event
        timestamp
        properties
      }
    }
  }
`)

export const SNAPSHOTS = graphql(`
  query Snapshots($projectId: ID!, $sessionId: ID!, $start: String!, $end: String!) {
    sessionRecordingSnapshots(projectId: $projectId, id: $sessionId, startBlobKey: $start, endBlobKey: $end)
  }
`)

export const MARK_VIEWED = graphql(`
  mutation MarkViewed($projectId: ID!, $sessionId: ID!) {
    markSessionRecording(input: { projectId: $projectId, id: $sessionId, viewed: true }) {
      userErrors {
        message
      }
    }
  }
`)
