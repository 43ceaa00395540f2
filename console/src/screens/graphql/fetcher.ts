import type { Fetcher, FetcherParams } from "@graphiql/toolkit"
import { type ExecutionResult, getOperationAST, parse } from "graphql"
import { FROM_CONSOLE, type Graph } from "../../graph/graph"
import { showResult } from "./last-result"

/** What GraphiQL names its question about the schema. */
const INTROSPECTION = "IntrospectionQuery"

/** Runs a query or mutation. Throws when the server gives no JSON. */
async function runOverHttp(request: FetcherParams): Promise<ExecutionResult> {
  const response = await fetch("/graphql", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json", ...FROM_CONSOLE },
    body: JSON.stringify(request),
  })
  return response.json()
}

/** What cannot be read is no subscription: the server then says what is wrong with it. */
function isSubscription({ query, operationName }: FetcherParams): boolean {
  try {
    return getOperationAST(parse(query), operationName)?.operation === "subscription"
  } catch {
    return false
  }
}

/** Follows a subscription, and shows each result of it. */
async function* follow({ socket }: Graph, { query, variables, operationName }: FetcherParams) {
  for await (const received of socket.iterate({ query, variables, operationName })) {
    const result = received as ExecutionResult
    showResult(result)
    yield result
  }
}

/** GraphiQL's way to the server: operations as they are, without a cache, and results shown as pictures too. */
export function createFetcher(graph: Graph): Fetcher {
  return async (request) => {
    if (isSubscription(request)) return follow(graph, request)
    const result = await runOverHttp(request)
    if (request.operationName !== INTROSPECTION) showResult(result)
    return result
  }
}
