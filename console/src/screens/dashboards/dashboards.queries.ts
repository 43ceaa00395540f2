import { graphql } from "../../graph/graphql"
import { RESULT_PARTS } from "../../results/result-parts"

export const DASHBOARDS = graphql(`
  query Dashboards($projectId: ID!, $filter: DashboardFilter, $first: Int!, $after: String) {
    dashboards(projectId: $projectId, filter: $filter, first: $first, after: $after) {
      nodes {
        id
        shortId
        name
        isFavourite
        lastModifiedAt
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

const DASHBOARD_PARTS = graphql(`
  fragment DashboardParts on Dashboard {
    id
    shortId
    name
    description
    isFavourite
    version
    filters {
      dateFrom
      dateTo
      raw
    }
    tiles {
      id
      x
      y
      w
      h
      text
      name
      isInsightDeleted
      isUnfiltered
      query
      insight {
        id
        shortId
      }
    }
  }
`)

export const DASHBOARD = graphql(
  `
  query Dashboard($projectId: ID!, $shortId: ID!) {
    dashboard(projectId: $projectId, by: { shortId: $shortId }) {
      ...DashboardParts
    }
  }
`,
  DASHBOARD_PARTS,
)

export const CREATE_DASHBOARD = graphql(`
  mutation CreateDashboard($input: CreateDashboardInput!) {
    createDashboard(input: $input) {
      dashboard {
        id
        shortId
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const UPDATE_DASHBOARD = graphql(
  `
  mutation UpdateDashboard($input: UpdateDashboardInput!) {
    updateDashboard(input: $input) {
      dashboard {
        ...DashboardParts
      }
      userErrors {
        field
        message
      }
    }
  }
`,
  DASHBOARD_PARTS,
)

/** All tiles over one socket: each state of a run, each answer, and again when newer events make it stale. */
export const DASHBOARD_RESULTS = graphql(
  `
  subscription DashboardResults($projectId: ID!, $id: ID!) {
    dashboardResults(projectId: $projectId, id: $id) {
      tileId
      error {
        message
      }
      result {
        ...ResultParts
      }
    }
  }
`,
  RESULT_PARTS,
)

export const PICKED_INSIGHTS = graphql(`
  query PickedInsights($projectId: ID!, $filter: InsightFilter) {
    insights(projectId: $projectId, filter: $filter, first: 50) {
      nodes {
        id
        shortId
        name
      }
    }
  }
`)

export const SHARE_LINKS = graphql(`
  query ShareLinks($projectId: ID!, $id: ID!) {
    dashboard(projectId: $projectId, by: { id: $id }) {
      id
      shareLinks {
        id
        label
        maskedToken
        expiresAt
      }
    }
  }
`)

export const CREATE_SHARE_LINK = graphql(`
  mutation CreateShareLink($input: CreateDashboardShareLinkInput!) {
    createDashboardShareLink(input: $input) {
      shareLink {
        id
        token
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const REVOKE_SHARE_LINK = graphql(`
  mutation RevokeShareLink($input: RevokeDashboardShareLinkInput!) {
    revokeDashboardShareLink(input: $input) {
      revokedId
      userErrors {
        field
        message
      }
    }
  }
`)
