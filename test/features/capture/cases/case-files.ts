import { readFileSync } from "node:fs"
import type { Json, JsonObject } from "../../../../src/kernel/json.js"

/** A request as the cases of capture.json write it. */
export interface CaseRequest {
  readonly method: string
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: Json
  readonly body_base64?: string
  readonly form?: Readonly<Record<string, string>>
  readonly json_template?: Json
  readonly body_generator?: BodyGenerator
  readonly then?: CaseRequest
}

export interface BodyGenerator {
  readonly valid_json_event_of_bytes?: number
  readonly batch_of_small_events_total_bytes?: number
}

export interface Outcome {
  readonly status?: number
  readonly body?: Json
  readonly text_contains?: string
  readonly body_contains?: JsonObject
  readonly stored_count?: number
  readonly then?: number
}

export interface HttpCase {
  readonly id: string
  readonly kind: string
  readonly area: string
  readonly title: string
  readonly request: CaseRequest
  readonly given?: JsonObject
  readonly upstream: Outcome
  readonly recommended?: Outcome
  readonly expect?: {
    readonly stored_count?: number
    readonly stored?: readonly { event?: string; distinct_id?: string; uuid?: string; ip?: string }[]
    readonly order?: readonly string[]
    readonly lanes?: Readonly<Record<string, readonly string[]>>
  }
}

export interface TimestampCase {
  readonly id: string
  readonly kind: string
  readonly area: string
  readonly title: string
  readonly given: {
    readonly now: string
    readonly timestamp?: Json
    readonly sent_at?: string
    readonly ignore_sent_at?: boolean
    readonly offset_ms?: number
  }
  readonly expect: { readonly timestamp: string }
  readonly recommended?: { readonly timestamp: string }
}

export interface HostileEntry {
  readonly id: string
  readonly why: string
  readonly expect: string
  readonly path?: string
  readonly body?: Json
  readonly rawBody?: string
  readonly base64?: string
  readonly generator?: string
  readonly contentType?: string
  readonly contentEncoding?: string | null
  readonly query?: string
  readonly json?: string
  readonly js_roundtrip?: string
}

const read = (name: string): JsonObject =>
  JSON.parse(readFileSync(new URL(`../../../cases/${name}.json`, import.meta.url), "utf8"))

export const captureCases = (): readonly (HttpCase | TimestampCase)[] =>
  read("capture").cases as unknown as (HttpCase | TimestampCase)[]

export const hostileEntries = (name: "capture-bodies" | "compressed" | "numbers-paging"): readonly HostileEntry[] =>
  read(`hostile/${name}`).entries as unknown as HostileEntry[]
