import { waitFor } from "./wait-for.js"
import { PERSONAL_KEY, PROJECT_KEY } from "./waymark-process.js"

/** Status, headers and parsed body of an answer. */
export interface Answer<T = unknown> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
}

interface IngestionState {
  readonly accepted: number
  readonly stored: number
  readonly measured_at: string
}

/** What a mutation answers. */
interface Payload {
  readonly userErrors: readonly { readonly message: string }[]
  readonly [field: string]: unknown
}

/** Speaks to one server as REST and GraphQL clients do. */
export class WaymarkApi {
  /** @param address of the server; a function where it is only known later. */
  constructor(
    private readonly address: string | (() => string),
    readonly personalKey: string | null = PERSONAL_KEY,
  ) {}

  get url(): string {
    return typeof this.address === "string" ? this.address : this.address()
  }

  async request<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(this.personalKey && { authorization: `Bearer ${this.personalKey}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: (text === "" ? null : parse(text)) as T }
  }

  get = <T = unknown>(path: string) => this.request<T>("GET", path)
  post = <T = unknown>(path: string, body: unknown) => this.request<T>("POST", path, body)
  patch = <T = unknown>(path: string, body: unknown) => this.request<T>("PATCH", path, body)

  /** Captures one event with the project's key. */
  capture(event: Record<string, unknown>, projectKey = PROJECT_KEY): Promise<Answer> {
    return this.post("/i/v0/e/", { api_key: projectKey, ...event })
  }

  /** Rows of a HogQL query, always calculated. @throws Error with the body when the answer is not 200. */
  async hogql<Row extends unknown[] = unknown[]>(query: string): Promise<Row[]> {
    const answer = await this.post<{ results: Row[] }>("/api/environments/@current/query/", {
      query: { kind: "HogQLQuery", query },
      refresh: "force_blocking",
    })
    if (answer.status !== 200) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body.results
  }

  /** Data of a GraphQL operation. @throws Error with the messages when there are errors. */
  async graphql<T>(query: string, variables: Record<string, unknown> = {}): Promise<T> {
    const answer = await this.post<{ data: T; errors?: { message: string }[] }>("/graphql", { query, variables })
    if (answer.body.errors?.length) throw new Error(JSON.stringify(answer.body.errors))
    return answer.body.data
  }

  /**
   * What mutations made, by the names of their fields: of each payload the field that is asked for besides
   * `userErrors`; true where there is no other. @throws Error with the messages when there are errors of either kind.
   */
  async changed<T>(query: string, variables: Record<string, unknown> = {}): Promise<T> {
    const payloads = Object.entries(await this.graphql<Record<string, Payload>>(query, variables))
    const faults = payloads.flatMap(([, { userErrors }]) => userErrors)
    if (faults.length > 0) throw new Error(JSON.stringify(faults))
    const made = payloads.map(([name, { userErrors: _none, ...payload }]) => [name, Object.values(payload)[0] ?? true])
    return Object.fromEntries(made) as T
  }

  /** Waits until ingestion has stored everything that was accepted before the call. */
  async drained(): Promise<void> {
    const askedAt = new Date().toISOString()
    await waitFor("ingestion to drain", async () => {
      const { ingestion } = (await this.get<{ ingestion: IngestionState }>("/_readyz")).body
      return ingestion.measured_at > askedAt && ingestion.stored >= ingestion.accepted
    })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
