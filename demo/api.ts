import type { DemoServer } from "./server.js"

/** The three ways the demo reads back: REST, HogQL and GraphQL. Each throws with the server's own words. */
export function createApi({ url, personalKey }: DemoServer) {
  const headers = { authorization: `Bearer ${personalKey}`, "content-type": "application/json" }

  async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return (text === "" ? null : JSON.parse(text)) as T
  }

  return {
    request,

    async hogql(query: string): Promise<unknown[][]> {
      const body = { query: { kind: "HogQLQuery", query }, refresh: "force_blocking" }
      const answer = await request<{ results: unknown[][] }>("POST", "/api/environments/@current/query/", body)
      return answer.results
    },

    async graphql<T>(query: string, variables: Record<string, unknown>): Promise<T> {
      const answer = await request<{ data: T; errors?: { message: string }[] }>("POST", "/graphql", {
        query,
        variables,
      })
      if (answer.errors?.length) throw new Error(answer.errors.map(({ message }) => message).join("; "))
      return answer.data
    },
  }
}

export type DemoApi = ReturnType<typeof createApi>
