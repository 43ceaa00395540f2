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

export const ONLINE = graphql(`
  query Online($number: Int!, $minutes: Int!, $first: Int!) {
    project(by: { number: $number }) {
      id
      personsOnline(minutes: $minutes, first: $first) {
        count
        persons {
          id
          uuid
          name
        }
      }
    }
  }
`)
