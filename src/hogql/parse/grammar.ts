import createHogQLParser, { type HogQLParser } from "@posthog/hogql-parser"

let loading: Promise<HogQLParser> | null = null

/** What the published parser answers, as parsed JSON: a node or `{error: true, message, start, end}`. */
export interface RawNode {
  readonly node: string
  readonly error?: true
  readonly message?: string
  readonly type?: string
  readonly start?: { readonly offset: number } | null
  readonly end?: { readonly offset: number } | null
  readonly [key: string]: unknown
}

/**
 * Reads one SELECT with the published grammar (npm `@posthog/hogql-parser`). Null when the parser broke down on it; a
 * broken instance answers nonsense from then on, so the next call gets a fresh one.
 */
export async function readWithGrammar(text: string): Promise<RawNode | null> {
  loading ??= createHogQLParser()
  const parser = await loading
  try {
    return JSON.parse(parser.parseSelect(text, false)) as RawNode
  } catch {
    loading = null
    return null
  }
}
