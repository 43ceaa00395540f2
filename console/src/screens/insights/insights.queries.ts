import { graphql } from "../../graph/graphql"
import { RESULT_PARTS } from "../../results/result-parts"

export const ASK = graphql(
  `
  query Ask($projectId: ID!, $input: QueryInput!) {
    query(projectId: $projectId, input: $input) {
      ...ResultParts
    }
  }
`,
  RESULT_PARTS,
)

export const ACTORS = graphql(`
  query Actors($projectId: ID!, $input: ActorsInput!) {
    query(projectId: $projectId, input: { actors: $input }) {
      __typename
      ... on ActorsResult {
        columns {
          name
        }
        rows
        hasMore
      }
    }
  }
`)

export const INSIGHTS = graphql(`
  query Insights($projectId: ID!, $filter: InsightFilter, $first: Int!, $after: String) {
    insights(projectId: $projectId, filter: $filter, first: $first, after: $after) {
      nodes {
        id
        shortId
        name
        kind
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

export const INSIGHT = graphql(`
  query Insight($projectId: ID!, $shortId: ID!) {
    insight(projectId: $projectId, by: { shortId: $shortId }) {
      id
      shortId
      name
      description
      kind
      query
      isFavourite
    }
  }
`)

export const CREATE_INSIGHT = graphql(`
  mutation CreateInsight($input: CreateInsightInput!) {
    createInsight(input: $input) {
      insight {
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

export const UPDATE_INSIGHT = graphql(`
  mutation UpdateInsight($input: UpdateInsightInput!) {
    updateInsight(input: $input) {
      insight {
        id
        name
        description
        query
          isFavourite
        lastModifiedAt
      }
      userErrors {
        field
        message
      }
    }
  }
`)

/** Dashboards that an insight can be put on, with the tiles that they have. */
export const OFFERED_DASHBOARDS = graphql(`
  query OfferedDashboards($projectId: ID!) {
    dashboards(projectId: $projectId, first: 200) {
      nodes {
        id
        shortId
        name
        version
        tiles {
          id
          x
          y
          w
          h
          text
          insight {
            id
            shortId
          }
        }
      }
    }
  }
`)
