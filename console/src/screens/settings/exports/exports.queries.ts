import { graphql } from "../../../graph/graphql"

export const EXPORTS = graphql(`
  query ScheduledExports($projectId: ID!, $after: String, $first: Int!) {
    scheduledExports(projectId: $projectId, after: $after, first: $first) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        number
        name
        content
        frequency
        format
        isPaused
        exportedUntil
        dueAt
        failingSince
        target {
          kind
          prefix
          endpoint
          region
          bucket
          accessKeyId
        }
        runs(first: 1) {
          nodes {
            id
            status
            startedAt
            finishedAt
          }
        }
      }
    }
  }
`)

export const EXPORT_RUNS = graphql(`
  query ScheduledExportRuns($projectId: ID!, $number: Int!, $first: Int!) {
    scheduledExport(projectId: $projectId, by: { number: $number }) {
      id
      runs(first: $first) {
        pageInfo {
          hasNextPage
        }
        nodes {
          id
          intervalFrom
          intervalTo
          status
          attempts
          error
          fileCount
          rowCount
          byteCount
        }
      }
    }
  }
`)

export const CREATE_EXPORT = graphql(`
  mutation CreateExport($input: CreateScheduledExportInput!) {
    createScheduledExport(input: $input) {
      scheduledExport {
        id
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const UPDATE_EXPORT = graphql(`
  mutation UpdateExport($input: UpdateScheduledExportInput!) {
    updateScheduledExport(input: $input) {
      scheduledExport {
        id
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const RUN_EXPORT = graphql(`
  mutation RunExport($input: RunScheduledExportInput!) {
    runScheduledExport(input: $input) {
      scheduledExport {
        id
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const DELETE_EXPORT = graphql(`
  mutation DeleteExport($input: DeleteScheduledExportInput!) {
    deleteScheduledExport(input: $input) {
      deletedId
      userErrors {
        field
        message
      }
    }
  }
`)

/** Lets the list be asked again when an export comes or goes: a list that is empty names no record that could end it. */
export const AFTER_CHANGES = { additionalTypenames: ["CreateScheduledExportPayload", "DeleteScheduledExportPayload"] }
