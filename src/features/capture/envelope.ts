import { AppError } from "../../kernel/errors.js"
import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.js"
import { checkProjectKey, readKey, readSharedKey } from "./project-key.js"
import { parseTime } from "./steps/parse-time.js"

/** What a capture body holds, whichever of the shapes it has. */
export interface Envelope {
  /** Well-formed, not yet looked up. */
  readonly token: string
  /** The events as they were sent; nothing is known about any of them. */
  readonly items: readonly Json[]
  readonly sentAtMs: number | null
  readonly historicalMigration: boolean
}

export interface EnvelopeRules {
  /** Key in the query (`?token=`), used when the body names none. */
  readonly queryToken: string | null
  /** Whether one object without `event` is an event all the same (and then dropped or named); not so on `/batch`. */
  readonly acceptsNamelessEvent: boolean
}

const malformed = (detail: string, attr: string | null = null): AppError =>
  new AppError("malformed_data", { detail, attr })

/**
 * Reads the three shapes that clients send on every capture path: `{batch: […]}` with the key beside it, a bare array
 * of events, and one event (`docs/contract/sdk-wire.md#shapes-of-capture`). With `batch` the key stands beside it; keys
 * in its events are ignored (`docs/contract/capture.md#body-shapes`).
 * @throws AppError malformed_data (400), no_project_key or invalid_project_key (401).
 */
export function readEnvelope(body: Json, rules: EnvelopeRules): Envelope {
  if (Array.isArray(body)) return readArray(body, rules)
  if (!isJsonObject(body)) throw malformed("The body must be an event, an array of events, or an object with batch.")
  if (Array.isArray(body.batch)) return readBatch(body, body.batch, rules)
  if (body.event === undefined) {
    if (body.batch !== undefined) throw malformed("batch must be an array of events.", "batch")
    if (!rules.acceptsNamelessEvent) throw malformed("The body needs batch, an array of events.", "batch")
  }
  return { token: toToken(readSharedKey([body]), rules), items: [body], sentAtMs: null, historicalMigration: false }
}

/** The items of a body in any of the three shapes. */
export function listItems(body: Json): readonly Json[] {
  if (Array.isArray(body)) return body
  return isJsonObject(body) && Array.isArray(body.batch) ? body.batch : [body]
}

function readArray(items: readonly Json[], rules: EnvelopeRules): Envelope {
  if (items.length === 0) throw malformed("The request holds no event.")
  return { token: toToken(readSharedKey(items), rules), items, sentAtMs: null, historicalMigration: false }
}

function readBatch(envelope: JsonObject, items: readonly Json[], rules: EnvelopeRules): Envelope {
  const token = toToken(readKey(envelope), rules)
  if (items.length === 0) throw malformed("batch holds no event.", "batch")
  return {
    token,
    items,
    sentAtMs: parseTime(envelope.sent_at ?? envelope.sentAt),
    historicalMigration: envelope.historical_migration === true,
  }
}

function toToken(key: string | null, { queryToken }: EnvelopeRules): string {
  const named = key ?? queryToken
  if (named === null) throw new AppError("no_project_key", { attr: "api_key" })
  return checkProjectKey(named)
}
