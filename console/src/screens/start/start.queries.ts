import { graphql } from "../../graph/graphql"

export const START = graphql(`
  query Start($number: Int!) {
    project(by: { number: $number }) {
      id
      apiToken
      ingestedEvent
    }
  }
`)

export const HAS_EVENTS = graphql(`
  query HasEvents($number: Int!) {
    project(by: { number: $number }) {
      id
      ingestedEvent
    }
  }
`)

export const FIRST_EVENT = graphql(`
  subscription FirstEvent($projectId: ID!, $since: String) {
    liveEvents(projectId: $projectId, since: $since) {
      cursor
      event
      timestamp
    }
  }
`)

/** What the server knows of why nothing comes. */
export const CAUSES = graphql(`
  query Causes($projectId: ID!, $number: Int!) {
    project(by: { number: $number }) {
      id
      refusedKeys {
        beginsWith
        count
        lastAt
      }
      settings {
        quotaLimits {
          resource
          until
        }
      }
    }
    ingestionWarnings(projectId: $projectId, first: 5) {
      nodes {
        reason
        severity
        detail
        event
        occurrences
        lastAt
      }
    }
  }
`)
