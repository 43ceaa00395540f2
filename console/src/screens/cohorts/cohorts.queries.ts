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
      filters {
        raw
      }
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

export const COHORT_SIZE = graphql(`
  query CohortSize($projectId: ID!, $filters: CohortFiltersInput!) {
    cohortSize(projectId: $projectId, filters: $filters)
  }
`)

export const ACTION_NAMES = graphql(`
  query ActionNames($projectId: ID!) {
    actions(projectId: $projectId, first: 1000) {
      nodes {
        id
        number
        name
      }
    }
  }
`)

export const CREATE_COHORT = graphql(`
  mutation CreateCohort($input: CreateCohortInput!) {
    createCohort(input: $input) {
      cohort {
        id
        number
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const UPDATE_COHORT = graphql(`
  mutation UpdateCohort($input: UpdateCohortInput!) {
    updateCohort(input: $input) {
      cohort {
        id
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const IMPORT_MEMBERS = graphql(`
  mutation ImportMembers($input: ImportCohortMembersInput!) {
    importCohortMembers(input: $input) {
      cohort {
        id
      }
      imported {
        memberCount
        unknownIds
      }
      userErrors {
        field
        message
      }
    }
  }
`)
