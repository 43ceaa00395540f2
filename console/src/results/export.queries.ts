import { graphql } from "../graph/graphql"

export const EXPORT_QUERY = graphql(`
  mutation ExportQuery($input: ExportQueryInput!) {
    exportQuery(input: $input) {
      export {
        url
      }
      userErrors {
        field
        message
      }
    }
  }
`)
