import { graphql } from "../graph/graphql"

/** Names by how often they came, asked in HogQL: rows of a name and a count. */
export const NAMES = graphql(`
  query Names($projectId: ID!, $hogql: String!, $values: JSON) {
    query(projectId: $projectId, input: { hogql: { query: $hogql, values: $values } }) {
      __typename
      ... on HogQLResult {
        rows
      }
    }
  }
`)

export const PROPERTY_VALUES = graphql(`
  query PropertyValues($projectId: ID!, $input: PropertyValuesInput!) {
    query(projectId: $projectId, input: { propertyValues: $input }) {
      __typename
      ... on PropertyValuesResult {
        values {
          value
          count
        }
      }
    }
  }
`)
