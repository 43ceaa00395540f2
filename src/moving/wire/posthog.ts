import type { Json, JsonObject } from "../../kernel/json.js"
import { ask, readAnswer } from "./ask.js"
import { type Page, readPage, readPages } from "./read-pages.js"

export interface PosthogOptions {
  /** Scheme and host, such as `https://eu.posthog.com`. */
  readonly url: string
  /** Number of the project there. */
  readonly project: string
  readonly personalKey: string
}

const MAX_PAGE = 100

/** A project of PostHog, by its REST API. */
export class Posthog {
  private readonly headers: Readonly<Record<string, string>>

  constructor(private readonly options: PosthogOptions) {
    this.headers = { authorization: `Bearer ${options.personalKey}` }
  }

  /** Where the events begin, newest first. */
  firstPageOfEvents({ after, before }: { readonly after?: string | undefined; readonly before?: string | undefined }) {
    const url = new URL(this.toAddress("events/"))
    url.searchParams.set("limit", String(MAX_PAGE))
    // Without it the API shows the last day alone.
    url.searchParams.set("after", after ?? "1970-01-01T00:00:00Z")
    if (before !== undefined) url.searchParams.set("before", before)
    return url.href
  }

  readPage(url: string): Promise<Page> {
    return readPage(url, this.headers)
  }

  /** Every record of a list. */
  list(path: string): Promise<JsonObject[]> {
    return readPages(`${this.toAddress(path)}?limit=${MAX_PAGE}`, this.headers)
  }

  /** A single record. */
  async get(path: string): Promise<Json> {
    const url = this.toAddress(path)
    return readAnswer(await ask({ url, headers: this.headers }), url)
  }

  private toAddress(path: string): string {
    return `${this.options.url}/api/projects/${encodeURIComponent(this.options.project)}/${path}`
  }
}
