import type { Answer } from "./waymark-api.js"

/** What a page of the server says that it is one with. */
const FROM_CONSOLE = { "waymark-console": "1" }

/** Speaks to a server as its own pages do: the session cookie is kept and sent, together with the header. */
export class PageClient {
  /** `waymark_session=…`; null while nobody is signed in. */
  cookie: string | null = null

  constructor(readonly url: string) {}

  async request<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = FROM_CONSOLE,
  ): Promise<Answer<T>> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      redirect: "manual",
      headers: {
        ...(this.cookie !== null && { cookie: `theme=dark; ${this.cookie}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const [set] = response.headers.getSetCookie()
    if (set?.startsWith("waymark_session="))
      this.cookie = set.includes("Max-Age=0") ? null : (set.split(";")[0] ?? null)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: (text === "" ? null : JSON.parse(text)) as T }
  }

  get = <T = unknown>(path: string) => this.request<T>("GET", path)
  post = <T = unknown>(path: string, body: object = {}) => this.request<T>("POST", path, body)

  /** Data of a GraphQL operation. @throws Error with what is wrong, errors of input too. */
  async graphql<T>(query: string, variables: object = {}): Promise<T> {
    const { body } = await this.post<{ data: T; errors?: object[] }>("/graphql", { query, variables })
    const text = JSON.stringify(body)
    if (body.errors !== undefined || /"userErrors":\[\{/.test(text)) throw new Error(text)
    return body.data
  }

  /** Code of the first error of a GraphQL operation; null when there is none. */
  async faultOf(query: string, headers: Record<string, string> = FROM_CONSOLE): Promise<string | null> {
    const { body } = await this.request<{ errors?: { extensions: { code: string } }[] }>(
      "POST",
      "/graphql",
      { query },
      headers,
    )
    return body.errors?.[0]?.extensions.code ?? null
  }
}
