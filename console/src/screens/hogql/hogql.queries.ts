import { graphql } from "../../graph/graphql"

/** Kinds of queries for editors, which have no types: the schema, and what is wrong with a text. */
export const ASK_RAW = graphql(`
  query AskRaw($projectId: ID!, $query: JSON!) {
    query(projectId: $projectId, input: { raw: $query }) {
      __typename
      ... on JsonResult {
        answer
      }
    }
  }
`)

export const RUN_HOGQL = graphql(`
  subscription RunHogql($projectId: ID!, $id: ID!, $hogql: HogQLInput!) {
    query(projectId: $projectId, id: $id, input: { hogql: $hogql }, refresh: FORCE_BLOCKING) {
      __typename
      ... on HogQLResult {
        hogql
        warnings
        columns {
          name
          type
        }
        rows
        hasMore
        timings {
          seconds
        }
      }
      ... on QueryRun {
        state
        errorMessage
        error {
          message
          start
          end
        }
        progress {
          percentage
          rowsRead
          elapsedMs
        }
      }
    }
  }
`)

export const CANCEL_RUN = graphql(`
  mutation CancelRun($projectId: ID!, $id: ID!) {
    cancelQuery(input: { projectId: $projectId, id: $id }) {
      queryRun {
        id
        state
      }
      userErrors {
        field
        message
      }
    }
  }
`)
