import { GraphQLEnumType } from "graphql"
import { GRAPHQL_CODES } from "../../kernel/errors.js"

/** Codes of faults that graphql-js and Apollo find themselves. */
const REQUEST_CODES = {
  GRAPHQL_PARSE_FAILED: "The document is no GraphQL.",
  GRAPHQL_VALIDATION_FAILED: "The document does not fit the schema.",
  OPERATION_RESOLUTION_FAILURE: "The document has no operation of that name, or several and none was named.",
  BAD_REQUEST: "The request is no operation, or one that is not served this way.",
}

/** What `extensions.code` of an error may be, and `code` of a run that failed. */
export const ERROR_CODE = new GraphQLEnumType({
  name: "ErrorCode",
  description: "What `extensions.code` of an error may be.",
  values: Object.fromEntries(
    Object.entries({ ...GRAPHQL_CODES, ...REQUEST_CODES }).map(([code, description]) => [code, { description }]),
  ),
})
