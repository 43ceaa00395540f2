import { graphql } from "../../graph/graphql"

export const LIVE_EVENTS = graphql(`
  subscription LiveEvents($projectId: ID!, $event: String, $properties: [PropertyFilterInput!], $since: String) {
    liveEvents(projectId: $projectId, event: $event, properties: $properties, since: $since) {
      cursor
      missedBefore
      uuid
      event
      distinctId
      timestamp
      properties
    }
  }
`)

/** Asked in HogQL: see `online.tsx`. */
export const ONLINE = graphql(`
  query Online($projectId: ID!, $hogql: String!) {
    query(projectId: $projectId, input: { hogql: { query: $hogql } }, refresh: FORCE_BLOCKING) {
      __typename
      ... on HogQLResult {
        rows
      }
    }
  }
`)
