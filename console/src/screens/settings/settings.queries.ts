import { graphql } from "../../graph/graphql"

export const SETTINGS = graphql(`
  query Settings($number: Int!) {
    project(by: { number: $number }) {
      id
      organization {
        id
        uuid
        name
        role
      }
    }
  }
`)

export const PROJECT_SETTINGS = graphql(`
  query ProjectSettingsPage($number: Int!) {
    project(by: { number: $number }) {
      id
      name
      timezone
      weekStartDay
      settings {
        anonymizeIps
        autocaptureOptOut
        featureFlagApproval
        cookielessMode
        eventRetentionDays
        featureFlagRequestLimit
        pluginLogRetentionDays
        sessionRecordingRetentionDays
        quotaLimits {
          resource
          until
        }
        raw
      }
    }
  }
`)

export const UPDATE_PROJECT = graphql(`
  mutation UpdateProject($input: UpdateProjectInput!) {
    updateProject(input: $input) {
      project {
        id
        name
      }
      userErrors {
        field
        message
      }
    }
  }
`)
