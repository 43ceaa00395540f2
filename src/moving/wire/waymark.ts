import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.js"
import { StartupError } from "../../platform/embedded/startup-error.js"
import { type Answer, ask, readAnswer } from "./ask.js"
import { readPages } from "./read-pages.js"

/** Where an import goes to: a server and a project of it. */
export interface WaymarkOptions {
  /** Scheme, host and port. */
  readonly url: string
  readonly projectKey: string
  /** Of somebody who may query the project, and manage what is imported into it. */
  readonly personalKey: string
}

const NOT_FOUND = 404
const PAYLOAD_TOO_LARGE = 413
const JSON_TYPE = { "content-type": "application/json" }

/** The project that is imported into, as every client sees it: over HTTP, by its keys. */
export class Waymark {
  private readonly headers: Readonly<Record<string, string>>

  constructor(readonly options: WaymarkOptions) {
    this.headers = { ...JSON_TYPE, authorization: `Bearer ${options.personalKey}` }
  }

  /**
   * Sends events of the past, in their order. They are on disk when it resolves.
   * @param events JSON of each.
   * @returns how many of them the server dropped.
   */
  async capture(events: readonly string[]): Promise<number> {
    const { url, projectKey } = this.options
    const body = `{"api_key":${JSON.stringify(projectKey)},"historical_migration":true,"batch":[${events.join(",")}]}`
    const answer = await ask({ url: `${url}/batch/`, method: "POST", headers: JSON_TYPE, body })
    readAnswer(answer, `${url}/batch/`)
    return toDropped(answer)
  }

  /**
   * Sends parts of recordings of the past, as recorders send them.
   * @returns how many of them the server dropped; null when the request is larger than it takes.
   */
  async captureSnapshots(snapshots: readonly JsonObject[]): Promise<number | null> {
    const url = `${this.options.url}/s/`
    const batch = { api_key: this.options.projectKey, historical_migration: true, batch: snapshots }
    const answer = await ask({ url, method: "POST", headers: JSON_TYPE, body: JSON.stringify(batch) })
    if (answer.status === PAYLOAD_TOO_LARGE) return null
    readAnswer(answer, url)
    return toDropped(answer)
  }

  /** Whether the project shows a recording. @throws StartupError when the key does not open recordings. */
  async hasRecording(sessionId: string): Promise<boolean> {
    const url = this.toAddress(`session_recordings/${encodeURIComponent(sessionId)}/`)
    const answer = await ask({ url, headers: this.headers })
    if (answer.status === NOT_FOUND) return false
    readAnswer(answer, url)
    return true
  }

  /** Rows of a query in HogQL. @throws StartupError when the server refuses it. */
  async query(hogql: string): Promise<readonly Json[][]> {
    const query = { kind: "HogQLQuery", query: hogql }
    const answer = await this.post("query/", { query, refresh: "force_blocking" })
    const results = isJsonObject(answer) ? answer.results : null
    if (!Array.isArray(results)) throw new StartupError(`A query was answered with ${JSON.stringify(answer)}.`)
    return results.filter(Array.isArray)
  }

  /** Every record of a list of the project. */
  async list(path: string): Promise<JsonObject[]> {
    return readPages(this.toAddress(path), this.headers)
  }

  /** @throws StartupError when the server refuses it. */
  async post(path: string, body: JsonObject): Promise<Json> {
    const answer = await this.tryPost(path, body)
    return readAnswer(answer, this.toAddress(path))
  }

  /** As `post`, for what the server may refuse. */
  tryPost(path: string, body: JsonObject) {
    const url = this.toAddress(path)
    return ask({ url, method: "POST", headers: this.headers, body: JSON.stringify(body) })
  }

  /** The data of a GraphQL operation, and the first sentence of what went wrong; null when nothing did. */
  async graphql(query: string, variables: JsonObject): Promise<{ data: JsonObject; fault: string | null }> {
    const url = `${this.options.url}/graphql`
    const body = JSON.stringify({ query, variables })
    const answer = readAnswer(await ask({ url, method: "POST", headers: this.headers, body }), url)
    const { data = null, errors = [] } = isJsonObject(answer) ? answer : {}
    const [error = null] = Array.isArray(errors) ? errors : []
    const fault = isJsonObject(error) ? String(error.message) : null
    return { data: isJsonObject(data) ? data : {}, fault }
  }

  private toAddress(path: string): string {
    return `${this.options.url}/api/projects/${encodeURIComponent(this.options.projectKey)}/${path}`
  }
}

const toDropped = ({ headers }: Answer): number => Number(headers.get("x-dropped-events") ?? 0)
