import { graphql } from "../../graph/graphql"
import { RESULT_PARTS } from "../../results/result-parts"

export const FLAGS = graphql(`
  query Flags($projectId: ID!, $search: String, $after: String, $first: Int!) {
    featureFlags(projectId: $projectId, search: $search, after: $after, first: $first, orderBy: KEY) {
      nodes {
        id
        number
        key
        name
        active
        updatedAt
        filters {
          earlyAccess {
            stage
          }
          conditions {
            rolloutPercentage
            properties {
              key
            }
          }
          variants {
            key
          }
        }
      }
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
    }
    staleFeatureFlags(projectId: $projectId) {
      flag {
        id
      }
      lastCalledAt
    }
  }
`)

export const FLAG = graphql(`
  query Flag($projectId: ID!, $key: String!) {
    featureFlag(projectId: $projectId, by: { key: $key }) {
      id
      number
      key
      name
      active
      version
      updatedAt
      lastModifiedBy {
        email
      }
      dependents {
        key
      }
      changeRequests(state: WAITING, first: 1) {
        nodes {
          id
        }
      }
      filters {
        earlyAccess {
          name
          description
          stage
          documentationUrl
        }
        raw
      }
    }
    groupTypes(projectId: $projectId) {
      typeIndex
      name
    }
  }
`)

/** Flags by a part of their key, and the one that is chosen. */
export const FLAG_NAMES = graphql(`
  query FlagNames($projectId: ID!, $search: String, $chosen: Int!, $hasChosen: Boolean!) {
    featureFlags(projectId: $projectId, search: $search, first: 50, orderBy: KEY) {
      nodes {
        id
        number
        key
      }
    }
    chosen: featureFlag(projectId: $projectId, by: { number: $chosen }) @include(if: $hasChosen) {
      id
      number
      key
      filters {
        variants {
          key
        }
      }
    }
  }
`)

export const CONDITION_REACH = graphql(`
  query ConditionReach($projectId: ID!, $condition: FlagReleaseConditionInput!, $groupTypeIndex: Int) {
    conditionReach(projectId: $projectId, condition: $condition, groupTypeIndex: $groupTypeIndex) {
      affected
      total
      isEstimated
    }
  }
`)

export const FLAG_HISTORY = graphql(`
  query FlagHistory($projectId: ID!, $key: String!, $first: Int!) {
    featureFlag(projectId: $projectId, by: { key: $key }) {
      id
      number
      version
      activity(first: $first) {
        pageInfo {
          hasNextPage
        }
        nodes {
          id
          activity
          createdAt
          user {
            email
          }
          changes {
            field
            before
            after
          }
        }
      }
    }
  }
`)

export const EXPLAIN_FLAG = graphql(`
  query ExplainFlag($projectId: ID!, $flag: ID!, $for: FlagExplanationInput!, $at: DateTimeISO) {
    explainFlag(projectId: $projectId, flag: $flag, for: $for, at: $at) {
      active
      personAt
      decision {
        enabled
        variant
        payload
        reason {
          code
          description
        }
      }
      conditions {
        index
        matched
        outcome
        bucket
        rolloutPercentage
        filters {
          key
          type
          operator
          expected
          actual
          isSet
          matched
        }
      }
    }
  }
`)

export const CREATE_FLAG = graphql(`
  mutation CreateFlag($input: CreateFeatureFlagInput!) {
    createFeatureFlag(input: $input) {
      featureFlag {
        id
        key
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const UPDATE_FLAG = graphql(`
  mutation UpdateFlag($input: UpdateFeatureFlagInput!) {
    updateFeatureFlag(input: $input) {
      featureFlag {
        id
        version
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const PROJECT_KEY = graphql(`
  query ProjectKey($number: Int!) {
    project(by: { number: $number }) {
      id
      apiToken
    }
  }
`)

export const COPY_TARGETS = graphql(`
  query CopyTargets {
    projects(first: 1000) {
      nodes {
        id
        number
        name
        organizationId
      }
    }
  }
`)

export const COPY_FLAG = graphql(`
  mutation CopyFlag($input: CopyFeatureFlagInput!) {
    copyFeatureFlag(input: $input) {
      copies {
        target
        error
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const FLAG_CALLS = graphql(
  `
  query FlagCalls($projectId: ID!, $trends: TrendsInput!) {
    query(projectId: $projectId, input: { trends: $trends }) {
      ...ResultParts
    }
  }
`,
  RESULT_PARTS,
)

/** Lets a query be asked again after each change of a flag: one that waits for a second person answers no flag. */
export const AFTER_CHANGES = { additionalTypenames: ["UpdateFeatureFlagPayload", "ApproveFeatureFlagChangePayload"] }
