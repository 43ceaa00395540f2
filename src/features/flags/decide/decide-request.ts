import { cutIdentifier, type EvaluationRuntime } from "../../../flag-engine/index.js"
import { AppError } from "../../../kernel/errors.js"
import { COOKIELESS_DISTINCT_ID } from "../../../kernel/ids.js"
import { isJsonObject, type Json, type JsonObject, toStorableText } from "../../../kernel/json.js"
import type { RequestHeaders } from "../../../kernel/request-headers.js"
import { requestRuntime } from "./request-runtime.js"

/** A decision request with its aliases and encodings of values resolved (`docs/contract/flags.md#decision-fields`). */
export interface DecideRequest {
  readonly token: string
  /** Null when the body names none; see `requireDistinctId`. */
  readonly distinctId: string | null
  readonly deviceId: string | null
  readonly anonymousDistinctId: string | null
  /** Group key as text by group type name. */
  readonly groups: ReadonlyMap<string, string>
  readonly personProperties: JsonObject
  readonly groupProperties: ReadonlyMap<string, JsonObject>
  readonly geoIpDisabled: boolean
  readonly disableFlags: boolean
  /** Only these flags, and what they depend on; null for all. */
  readonly flagKeys: readonly string[] | null
  /** Only flags without contexts or with one of these; empty for all. */
  readonly evaluationContexts: readonly string[]
  /** Null when nothing tells where the caller runs. */
  readonly runtime: EvaluationRuntime | null
}

/**
 * Reads a decoded decision body. Values of the wrong type are passed over, as real services do; only what a decision
 * cannot do without is an error.
 * @throws AppError malformed_data, no_project_key.
 */
export function readDecideRequest(body: Json | undefined, headers: RequestHeaders): DecideRequest {
  if (body !== undefined && body !== null && !isJsonObject(body))
    throw new AppError("malformed_data", { detail: "The body must be one JSON object." })
  const fields = body ?? {}
  const personProperties = readObject(fields.person_properties ?? fields.$properties)
  return {
    token: readToken(fields),
    distinctId: readDistinctId(fields),
    deviceId: readText(fields.$device_id ?? fields.device_id) ?? readText(personProperties.$device_id),
    anonymousDistinctId: readAnonymousId(fields, personProperties),
    groups: readGroups(fields.groups ?? fields.$groups),
    personProperties,
    groupProperties: readGroupProperties(fields.group_properties ?? fields.$group_properties),
    geoIpDisabled: readSwitch(fields.geoip_disable ?? fields.disable_geoip),
    disableFlags: readSwitch(fields.disable_flags),
    flagKeys: readKeys(fields.flag_keys ?? fields.flag_keys_to_evaluate),
    evaluationContexts: readTexts(fields.evaluation_contexts ?? fields.evaluation_environments),
    runtime: requestRuntime(fields.evaluation_runtime, headers),
  }
}

/** None for visitors without cookies: what is kept for the id that they share would be kept for everybody who logs in. */
function readAnonymousId(fields: JsonObject, personProperties: JsonObject): string | null {
  const id =
    readText(fields.$anon_distinct_id ?? fields.anon_distinct_id) ?? readText(personProperties.$anon_distinct_id)
  return id === COOKIELESS_DISTINCT_ID ? null : id
}

/** `token`, then `$token`, then `api_key`; several together are no fault. */
function readToken(fields: JsonObject): string {
  const token = readText(fields.token) ?? readText(fields.$token) ?? readText(fields.api_key)
  if (token === null) throw new AppError("no_project_key", { attr: "api_key" })
  return token
}

/**
 * The distinct id of a request; checked after the key, as clients expect of a wrong key.
 * @throws AppError missing_distinct_id.
 */
export function requireDistinctId({ distinctId }: DecideRequest): string {
  if (distinctId !== null) return distinctId
  const detail = "You need to set distinct_id, as text or a number."
  throw new AppError("missing_distinct_id", { attr: "distinct_id", detail })
}

/**
 * Empty text is an id (`docs/contract/flags.md#decision-fields`); a number is printed in decimal; anything else is
 * none.
 */
function readDistinctId(fields: JsonObject): string | null {
  const value = fields.distinct_id ?? fields.$distinct_id
  const text = typeof value === "number" ? toDecimalText(value) : value
  return typeof text === "string" ? cutIdentifier(toStorableText(text)) : null
}

function readGroups(value: Json | undefined): Map<string, string> {
  const groups = new Map<string, string>()
  for (const [type, key] of Object.entries(readObject(value))) {
    const text = typeof key === "number" ? toDecimalText(key) : key
    if (typeof text === "string" && text !== "") groups.set(type, toStorableText(text))
  }
  return groups
}

function readGroupProperties(value: Json | undefined): Map<string, JsonObject> {
  return new Map(Object.entries(readObject(value)).map(([type, properties]) => [type, readObject(properties)]))
}

/** An empty list restricts nothing: some clients send one when they mean all flags. */
function readKeys(value: Json | undefined): readonly string[] | null {
  const keys = readTexts(value)
  return keys.length === 0 ? null : keys
}

const readObject = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})

const readTexts = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : []

const readText = (value: Json | undefined): string | null =>
  typeof value === "string" && value !== "" ? toStorableText(value) : null

const readSwitch = (value: Json | undefined): boolean =>
  value === true || value === 1 || (typeof value === "string" && /^(?:true|1|yes|on)$/i.test(value))

/** Whole numbers never in the exponent form that JavaScript gives large ones. */
const toDecimalText = (value: number): string => (Number.isInteger(value) ? BigInt(value).toString() : String(value))
