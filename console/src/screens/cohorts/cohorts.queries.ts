import { graphql } from "../../graph/graphql"

export const COHORTS = graphql(`
  query Cohorts($projectId: ID!, $search: String, $after: String, $first: Int!) {
    cohorts(projectId: $projectId, search: $search, after: $after, first: $first) {
      nodes {
        id
        number
        name
        description
        isStatic
        createdAt
        createdBy {
          id
          email
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`)

export const COHORT = graphql(`
  query Cohort($projectId: ID!, $number: Int!, $after: String, $first: Int!) {
    cohort(projectId: $projectId, by: { number: $number }) {
      id
      number
      name
      description
      isStatic
      createdAt
      usedBy {
        cohorts {
          id
          number
          name
        }
        featureFlags {
          id
          key
        }
      }
      persons(after: $after, first: $first) {
        totalCount
        nodes {
          id
          uuid
          name
          distinctIds
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`)
