import { graphql } from "../../graph/graphql"

export const GROUP_TYPES = graphql(`
  query GroupTypes($projectId: ID!) {
    groupTypes(projectId: $projectId) {
      name
      typeIndex
    }
  }
`)

export const GROUPS = graphql(`
  query Groups($projectId: ID!, $typeIndex: Int!, $search: String, $after: String, $first: Int!) {
    groups(projectId: $projectId, typeIndex: $typeIndex, search: $search, after: $after, first: $first) {
      nodes {
        id
        key
        createdAt
        properties
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`)

export const GROUP = graphql(`
  query Group($projectId: ID!, $group: GroupName!) {
    group(projectId: $projectId, by: { named: $group }) {
      id
      key
      createdAt
      properties
    }
  }
`)

export const GROUP_PERSONS = graphql(`
  query GroupPersons($projectId: ID!, $group: GroupName!) {
    group(projectId: $projectId, by: { named: $group }) {
      id
      persons(first: 100) {
        id
        uuid
        name
        distinctIds
      }
    }
  }
`)

export const GROUP_EVENTS = graphql(`
  query GroupEvents($projectId: ID!, $group: GroupName!, $before: DateTimeISO, $first: Int!) {
    group(projectId: $projectId, by: { named: $group }) {
      id
      events(before: $before, first: $first) {
        id
        event
        distinctId
        timestamp
        properties
      }
    }
  }
`)

/** What every flag is for a request that names the group and nobody, and which flags are about groups. */
export const GROUP_FLAGS = graphql(`
  query GroupFlags($projectId: ID!, $for: FlagExplanationInput!) {
    flagEvaluations(projectId: $projectId, for: $for) {
      key
      enabled
      failed
      variant
      payload
      reason {
        description
      }
    }
    featureFlags(projectId: $projectId, first: 1000) {
      nodes {
        id
        key
        filters {
          groupTypeIndex
          conditions {
            groupTypeIndex
          }
        }
      }
    }
  }
`)
