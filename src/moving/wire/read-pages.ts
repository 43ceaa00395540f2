import { isJsonObject, type JsonObject } from "../../kernel/json.js"
import { StartupError } from "../../platform/embedded/startup-error.js"
import { ask, readAnswer } from "./ask.js"

/** All records of a list that is read in pages, as both servers have them. */
export async function readPages(first: string, headers: Readonly<Record<string, string>>): Promise<JsonObject[]> {
  const records: JsonObject[] = []
  for (let url: string | null = first; url !== null; ) {
    const page: Page = await readPage(url, headers)
    records.push(...page.records)
    url = page.next
  }
  return records
}

/** A page of a list. */
export interface Page {
  readonly records: readonly JsonObject[]
  /** Where the next one is; null behind the last. */
  readonly next: string | null
}

/**
 * Reads a page of a list, `{results, next}`; lists of recordings say `has_next` instead.
 * @throws StartupError for anything else, and for a next page on another host, where the key would go along, or that
 * is the same again.
 */
export async function readPage(url: string, headers: Readonly<Record<string, string>>): Promise<Page> {
  const answer = readAnswer(await ask({ url, headers }), url)
  if (!isJsonObject(answer) || !Array.isArray(answer.results)) throw new StartupError(`${url} is no list.`)
  const { next: written } = answer
  const next = typeof written === "string" ? URL.parse(written, url) : toNext(url, answer.results.length, answer)
  const isElsewhere = next === null ? typeof written === "string" : next.host !== new URL(url).host
  // Behind a proxy a server may take itself for one without TLS.
  if (next !== null) next.protocol = new URL(url).protocol
  if (isElsewhere || next?.href === url) throw new StartupError(`${url} goes on at ${written}, which is no next page.`)
  return { records: answer.results.filter(isJsonObject), next: next?.href ?? null }
}

function toNext(url: string, length: number, { has_next: hasNext }: JsonObject): URL | null {
  if (hasNext !== true || length === 0) return null
  const next = new URL(url)
  next.searchParams.set("offset", String(Number(next.searchParams.get("offset") ?? 0) + length))
  return next
}
