import { graphql } from "../../graph/graphql"

export const LAG = graphql(`
  query Lag {
    ingestionLag {
      accepted
      stored
      oldestUnstoredSeconds
    }
  }
`)

export const SERVER_HEALTH = graphql(`
  query ServerHealth {
    serverHealth {
      stores {
        store
        isReachable
        latencyMs
        usedBytes
        freeBytes
      }
      shardCount
      shardsWithoutOwner
      captureRefusal
      lastBackupAt
      measuredAt
    }
  }
`)

/** Rows that a text in HogQL counts, and until when it did. */
export const VOLUMES = graphql(`
  query Volumes($projectId: ID!, $hogql: HogQLInput!, $refresh: QueryRefresh!) {
    query(projectId: $projectId, input: { hogql: $hogql }, refresh: $refresh) {
      __typename
      ... on HogQLResult {
        rows
        hasMore
        cache {
          dataThrough
        }
      }
    }
  }
`)

const SAID = graphql(`
  fragment Definition on Definition {
    name
    description
    isVerified
    isHidden
    tags
    lastModifiedAt
    lastModifiedBy {
      id
      email
    }
    owner {
      id
      number
      email
    }
  }
`)

/** What people say of the names on a page. */
export const DEFINITIONS_OF_EVENTS = graphql(
  `
    query DefinitionsOfEvents($projectId: ID!, $names: [String!]!) {
      eventDefinitions(projectId: $projectId, filter: { names: $names }, first: 50) {
        nodes {
          id
          ...Definition
        }
      }
    }
  `,
  SAID,
)

export const DEFINITIONS_OF_PROPERTIES = graphql(
  `
    query DefinitionsOfProperties($projectId: ID!, $names: [String!]!) {
      propertyDefinitions(projectId: $projectId, filter: { names: $names }, first: 50) {
        nodes {
          id
          ...Definition
        }
      }
    }
  `,
  SAID,
)

export const SAY_OF_EVENT = graphql(`
  mutation SayOfEvent($input: UpdateEventDefinitionInput!) {
    updateEventDefinition(input: $input) {
      eventDefinition {
        id
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const SAY_OF_PROPERTY = graphql(`
  mutation SayOfProperty($input: UpdatePropertyDefinitionInput!) {
    updatePropertyDefinition(input: $input) {
      propertyDefinition {
        id
      }
      userErrors {
        field
        message
      }
    }
  }
`)

/** Who may answer for a name. */
export const COLLEAGUES = graphql(`
  query Colleagues($number: Int!) {
    project(by: { number: $number }) {
      id
      organization {
        id
        members(first: 200) {
          nodes {
            user {
              id
              number
              email
            }
          }
        }
      }
    }
  }
`)

export const INGESTION_WARNINGS = graphql(`
  query IngestionWarnings($projectId: ID!, $first: Int!, $after: String) {
    ingestionWarnings(projectId: $projectId, first: $first, after: $after) {
      nodes {
        reason
        severity
        event
        occurrences
        lastAt
        detail
        distinctId
        uuid
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`)

export const DEAD_LETTERS = graphql(`
  query DeadLetters($projectId: ID!, $first: Int!, $before: ID) {
    deadLetters(projectId: $projectId, first: $first, before: $before) {
      nodes {
        id
        reason
        event
        failedAt
        byteCount
        canRetry
        detail
      }
      hasNextPage
      endCursor
    }
  }
`)

export const DEAD_LETTER_TEXT = graphql(`
  query DeadLetterText($projectId: ID!, $id: ID!) {
    deadLetterText(projectId: $projectId, id: $id)
  }
`)

export const RETRY_DEAD_LETTERS = graphql(`
  mutation RetryDeadLetters($input: RetryDeadLettersInput!) {
    retryDeadLetters(input: $input) {
      retriedIds
      userErrors {
        field
        message
      }
    }
  }
`)

export const DELETE_DEAD_LETTERS = graphql(`
  mutation DeleteDeadLetters($input: DeleteDeadLettersInput!) {
    deleteDeadLetters(input: $input) {
      deletedIds
      userErrors {
        field
        message
      }
    }
  }
`)

export const PLUGINS = graphql(`
  query Plugins($projectId: ID!) {
    pluginConfigs(projectId: $projectId, first: 100) {
      nodes {
        id
        number
        name
        description
        enabled
      }
    }
  }
`)

export const PAST_PLUGIN_LOGS = graphql(`
  query PastPluginLogs($projectId: ID!, $plugin: ID!, $filter: PluginLogFilter) {
    pluginLogs(projectId: $projectId, pluginConfigId: $plugin, filter: $filter, first: 200) {
      nodes {
        id
        uuid
        type
        source
        message
        timestamp
      }
    }
  }
`)

export const PLUGIN_LOGS = graphql(`
  subscription PluginLogs(
    $projectId: ID!
    $plugin: ID!
    $search: String
    $types: [PluginLogType!]
    $since: String
  ) {
    pluginLogs(projectId: $projectId, pluginConfigId: $plugin, search: $search, types: $types, since: $since) {
      cursor
      missedBefore
      uuid
      type
      source
      message
      timestamp
    }
  }
`)
