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

/** What people say of names, of those of which they have said anything. */
export const EVENT_DEFINITIONS = graphql(`
  query EventDefinitions($projectId: ID!) {
    eventDefinitions(projectId: $projectId, filter: { isEdited: true }, first: 1000) {
      nodes {
        id
        name
        description
        isVerified
        isHidden
      }
    }
  }
`)

export const PROPERTY_DEFINITIONS = graphql(`
  query PropertyDefinitions($projectId: ID!, $of: PropertyOwner!) {
    propertyDefinitions(projectId: $projectId, of: $of, filter: { isEdited: true }, first: 1000) {
      nodes {
        id
        name
        description
        isVerified
        isHidden
      }
    }
  }
`)

/** Cohorts by a part of their name, and the one that is chosen. */
export const COHORT_NAMES = graphql(`
  query CohortNames($projectId: ID!, $search: String, $chosen: Int!, $hasChosen: Boolean!) {
    cohorts(projectId: $projectId, search: $search, first: 50) {
      nodes {
        id
        number
        name
      }
    }
    chosen: cohort(projectId: $projectId, by: { number: $chosen }) @include(if: $hasChosen) {
      id
      number
      name
    }
  }
`)
