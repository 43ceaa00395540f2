import { graphql } from "../../graph/graphql"
import { RECORDING_ROW } from "../../tables/recording-columns"

export const PERSONS = graphql(`
  query Persons($projectId: ID!, $filter: PersonFilter, $after: String, $first: Int!) {
    persons(projectId: $projectId, filter: $filter, after: $after, first: $first) {
      nodes {
        id
        uuid
        name
        distinctIds
        isIdentified
        createdAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`)

export const PERSON = graphql(`
  query Person($projectId: ID!, $uuid: ID!) {
    person(projectId: $projectId, by: { uuid: $uuid }) {
      id
      uuid
      name
      distinctIds
      isIdentified
      createdAt
      properties
    }
  }
`)

export const PERSON_EVENTS = graphql(`
  query PersonEvents($projectId: ID!, $uuid: ID!, $before: DateTimeISO, $first: Int!) {
    person(projectId: $projectId, by: { uuid: $uuid }) {
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

export const PERSON_RECORDINGS = graphql(
  `
  query PersonRecordings($projectId: ID!, $uuid: ID!, $first: Int!, $after: String) {
    person(projectId: $projectId, by: { uuid: $uuid }) {
      id
      recordings(first: $first, after: $after) {
        nodes {
          ...RecordingRow
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`,
  RECORDING_ROW,
)

export const PERSON_COHORTS = graphql(`
  query PersonCohorts($projectId: ID!, $uuid: ID!) {
    person(projectId: $projectId, by: { uuid: $uuid }) {
      id
      cohorts {
        id
        number
        name
        isStatic
        description
      }
    }
  }
`)

export const PERSON_GROUPS = graphql(`
  query PersonGroups($projectId: ID!, $uuid: ID!) {
    person(projectId: $projectId, by: { uuid: $uuid }) {
      id
      groups {
        id
        key
        typeIndex
        properties
      }
    }
    groupTypes(projectId: $projectId) {
      name
      typeIndex
    }
  }
`)

export const PERSON_FLAGS = graphql(`
  query PersonFlags($projectId: ID!, $uuid: ID!) {
    person(projectId: $projectId, by: { uuid: $uuid }) {
      id
      flags {
        key
        enabled
        failed
        variant
        payload
        reason {
          description
        }
      }
    }
  }
`)

export const SPLIT_PERSON = graphql(`
  mutation SplitPerson($input: SplitPersonInput!) {
    splitPerson(input: $input) {
      persons {
        id
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const DELETE_PERSON = graphql(`
  mutation DeletePerson($input: DeletePersonInput!) {
    deletePerson(input: $input) {
      deletedId
      userErrors {
        field
        message
      }
    }
  }
`)
