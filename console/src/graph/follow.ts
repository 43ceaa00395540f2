import type { GraphQLError } from "graphql"
import { CombinedError, stringifyDocument, type TypedDocumentNode } from "urql"
import type { Graph } from "./graph"

/** Who takes what a subscription gives. */
export interface Follower<Data> {
  readonly onData: (data: Data) => void
  /** The subscription has ended with a fault. */
  readonly onFailure: (failure: CombinedError) => void
}

/**
 * Follows a subscription whose variables are asked for at each connection: one with a `since` goes on behind the last
 * that it got (docs/graphql.md#live-data). Returns what stops it.
 */
export function follow<Data, Variables extends Record<string, unknown>>(
  { socket }: Graph,
  document: TypedDocumentNode<Data, Variables>,
  readVariables: () => Variables,
  { onData, onFailure }: Follower<Data>,
): () => void {
  const fail = (graphQLErrors: readonly Partial<GraphQLError>[]): void =>
    onFailure(new CombinedError({ graphQLErrors: [...graphQLErrors] }))
  const payload = {
    query: stringifyDocument(document),
    get variables() {
      return { ...readVariables() }
    },
  }
  return socket.subscribe<Data>(payload, {
    next: ({ data, errors }) => {
      if (errors !== undefined) fail(errors)
      else if (data) onData(data)
    },
    error: (faults) => {
      if (Array.isArray(faults)) fail(faults)
    },
    complete: () => undefined,
  })
}
