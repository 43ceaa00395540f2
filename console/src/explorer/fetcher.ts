import type { Fetcher, FetcherParams } from "@graphiql/toolkit"
import { type ExecutionResult, getOperationAST, parse } from "graphql"
import { type Client, createClient } from "graphql-ws"
import { showResult } from "./last-result"

const PATH = "/graphql"
/** What GraphiQL names its question about the schema. */
const INTROSPECTION = "IntrospectionQuery"

const authorize = (key: string): Record<string, string> => (key === "" ? {} : { Authorization: `Bearer ${key}` })

/** Runs a query or mutation; the key is a personal API key, or empty. Throws when the server gives no JSON. */
export async function runOverHttp(request: FetcherParams, key: string): Promise<ExecutionResult> {
  const response = await fetch(PATH, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json", ...authorize(key) },
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
async function* follow(client: Client, { query, variables, operationName }: FetcherParams) {
  for await (const received of client.iterate({ query, variables, operationName })) {
    const result = received as ExecutionResult
    showResult(result)
    yield result
  }
}

/** GraphiQL's way to the server: operations over HTTP, subscriptions over one socket, results shown as pictures too. */
export function createFetcher(key: string): Fetcher {
  const socket = new URL(PATH, location.href)
  socket.protocol = socket.protocol === "https:" ? "wss:" : "ws:"
  const client = createClient({ url: socket.href, connectionParams: authorize(key), retryAttempts: 0 })
  return async (request) => {
    if (isSubscription(request)) return follow(client, request)
    const result = await runOverHttp(request, key)
    if (request.operationName !== INTROSPECTION) showResult(result)
    return result
  }
}
