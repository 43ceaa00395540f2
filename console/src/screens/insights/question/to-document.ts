import { print } from "graphql"
import type { QueryInput } from "../../../graph/generated/graphql"
import { ASK } from "../insights.queries"

/** A question as a client of the graph asks it: the document, and its variables as JSON text. */
export const toDocument = (input: QueryInput, projectId: string) => ({
  document: print(ASK),
  variables: JSON.stringify({ projectId, input }, null, 2),
})
