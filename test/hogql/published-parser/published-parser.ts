import createHogQLParser, { type HogQLParser } from "@posthog/hogql-parser"
import type { Query, Span } from "../../../src/hogql/nodes/nodes.js"
import { buildQuery } from "./build-nodes.js"

/** What the published parser answers, as parsed JSON: a node or `{error: true, message, start, end}`. */
export interface RawNode {
  readonly node: string
  readonly error?: true
  readonly message?: string
  readonly start?: { readonly offset: number } | null
  readonly end?: { readonly offset: number } | null
  readonly [key: string]: unknown
}

let loading: Promise<HogQLParser> | null = null

/** A text as the published grammar reads it, without our nodes. Rejects when the parser breaks down on it. */
async function readRaw(text: string): Promise<RawNode> {
  loading ??= createHogQLParser()
  const parser = await loading
  try {
    return JSON.parse(parser.parseSelect(text, false)) as RawNode
  } catch (failure) {
    // A broken instance answers nonsense from then on.
    loading = null
    throw failure
  }
}

/** Our nodes for a text as the published grammar reads it, or the sentence with which it or our builder refuses it. */
export async function readPublished(text: string): Promise<Query | string> {
  const raw = await readRaw(text)
  if (raw.error) return raw.message ?? "refused"
  try {
    return buildQuery(raw, new Places(text))
  } catch (failure) {
    return String(failure)
  }
}

/** Translates places: the published parser counts code points, our nodes UTF-16 units. */
export class Places {
  private readonly utf16: readonly number[]

  constructor(text: string) {
    const offsets = [0]
    for (const character of text) offsets.push((offsets[offsets.length - 1] as number) + character.length)
    this.utf16 = offsets
  }

  span(raw: RawNode): Span {
    return { start: this.utf16[raw.start?.offset ?? 0] ?? 0, end: this.utf16[raw.end?.offset ?? 0] ?? 0 }
  }
}
