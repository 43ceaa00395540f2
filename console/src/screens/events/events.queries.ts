import { graphql } from "../../graph/graphql"

export const EVENTS = graphql(`
  query Events($projectId: ID!, $event: String, $before: DateTimeISO, $first: Int!) {
    events(projectId: $projectId, event: $event, before: $before, first: $first) {
      id
      event
      distinctId
      timestamp
      properties
    }
  }
`)
