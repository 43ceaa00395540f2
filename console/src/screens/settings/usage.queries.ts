import { graphql } from "../../graph/graphql"
import { RESULT_PARTS } from "../../results/result-parts"

export const USAGE = graphql(
  `
  query Usage($projectId: ID!, $number: Int!, $events: TrendsInput!, $recordings: HogQLInput!) {
    events: query(projectId: $projectId, input: { trends: $events }) {
      ...ResultParts
    }
    recordings: query(projectId: $projectId, input: { hogql: $recordings }) {
      ...ResultParts
    }
    flagRequestUsage(projectId: $projectId) {
      month
      used
      limit
    }
    project(by: { number: $number }) {
      id
      settings {
        quotaLimits {
          resource
          until
        }
      }
    }
  }
`,
  RESULT_PARTS,
)
