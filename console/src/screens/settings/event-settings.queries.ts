import { graphql } from "../../graph/graphql"

export const EVENT_SETTINGS = graphql(`
  query EventSettings($number: Int!) {
    project(by: { number: $number }) {
      id
      pathCleaningFilters {
        regex
        alias
      }
      settings {
        captureRestrictions {
          type
          pipelines
          eventNames
          distinctIds
          sessionIds
          eventUuids
        }
        raw
      }
    }
  }
`)

/** Paths and what rules make of them, as rows. */
export const CLEANED_PATHS = graphql(`
  query CleanedPaths($projectId: ID!, $hogql: String!, $values: JSON) {
    query(projectId: $projectId, input: { hogql: { query: $hogql, values: $values } }) {
      __typename
      ... on HogQLResult {
        rows
      }
    }
  }
`)
