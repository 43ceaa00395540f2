import { type DocumentNode, getOperationAST, Kind } from "graphql"
import type { SpanStart } from "../../kernel/trace.js"

/** How an operation came: from a client, or as what a row of REST is made of. */
type Origin = "http" | "websocket" | "sse" | "rest"

/** The span of an operation: by its kind and its name, or its first field where it has none. Variables are not in it. */
export function toOperationSpan(
  document: DocumentNode,
  operationName: string | null | undefined,
  origin: Origin,
): SpanStart {
  const operation = getOperationAST(document, operationName)
  if (operation == null) return { name: "GraphQL", attributes: { "waymark.transport": origin } }
  const field = operation.selectionSet.selections.find((selection) => selection.kind === Kind.FIELD)
  const name = operation.name?.value ?? field?.name.value ?? ""
  const attributes = {
    "graphql.operation.type": operation.operation,
    "graphql.operation.name": name,
    "waymark.transport": origin,
  }
  return { name: `GraphQL ${operation.operation} ${name}`, attributes }
}
