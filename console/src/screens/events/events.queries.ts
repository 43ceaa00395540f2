import { graphql } from "../../graph/graphql"

export const EVENTS = graphql(`
  query Events($projectId: ID!, $events: EventsInput!) {
    query(projectId: $projectId, input: { events: $events }, refresh: FORCE_BLOCKING) {
      __typename
      ... on EventsResult {
        rows
        hasMore
      }
    }
  }
`)
