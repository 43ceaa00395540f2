import lzString from "lz-string"
import type { Json, JsonObject } from "../../../../src/kernel/json.js"
import type { WireRequest } from "./capture-driver.js"
import type { BodyGenerator, CaseRequest, HostileEntry } from "./case-files.js"

/** Turns the request of a case in capture.json into bytes; `nowMs` fills its placeholders. */
export function buildCaseRequest(request: CaseRequest, nowMs: number): WireRequest {
  const fill = (text: string): string =>
    text
      .replaceAll('"{{now_ms:int}}"', String(nowMs))
      .replaceAll("{{now_ms}}", String(nowMs))
      .replaceAll("{{now_iso}}", new Date(nowMs).toISOString())
  const filled = JSON.parse(fill(JSON.stringify(request))) as CaseRequest
  const query = new URLSearchParams(filled.query).toString()
  return {
    method: filled.method,
    url: query === "" ? filled.path : `${filled.path}?${query}`,
    headers: filled.headers ?? {},
    body: caseBody(filled),
  }
}

function caseBody(request: CaseRequest): Buffer {
  if (request.body_base64 !== undefined) return Buffer.from(request.body_base64, "base64")
  if (request.json !== undefined) return Buffer.from(JSON.stringify(request.json))
  if (request.form !== undefined) {
    const packed = lzString.compressToBase64(JSON.stringify(request.json_template))
    const fields = Object.entries(request.form).map(([name, value]) => [
      name,
      value.startsWith("{{lz") ? packed : value,
    ])
    return Buffer.from(new URLSearchParams(Object.fromEntries(fields)).toString())
  }
  return request.body_generator === undefined ? Buffer.alloc(0) : generateBody(request.body_generator)
}

function generateBody(generator: BodyGenerator): Buffer {
  const { valid_json_event_of_bytes: eventBytes, batch_of_small_events_total_bytes: batchBytes } = generator
  if (eventBytes !== undefined) {
    const event = { token: "phc_test", event: "testing", distinct_id: "user-1", properties: { filler: "" } }
    event.properties.filler = "x".repeat(eventBytes - JSON.stringify(event).length)
    return Buffer.from(JSON.stringify(event))
  }
  const item = { event: "testing", distinct_id: "user-1", properties: { filler: "x".repeat(900) } }
  const count = Math.floor((batchBytes ?? 0) / (JSON.stringify(item).length + 1)) - 1
  return Buffer.from(JSON.stringify({ api_key: "phc_test", batch: Array(count).fill(item) }))
}

/** Turns an entry of the hostile corpora into bytes; null when its bytes are only described in words. */
export function buildHostileRequest(entry: HostileEntry): WireRequest | null {
  const body = hostileBody(entry)
  if (body === null) return null
  return {
    method: "POST",
    url: `${entry.path ?? "/i/v0/e/"}${entry.query ?? ""}`,
    headers: {
      "Content-Type": entry.contentType ?? "application/json",
      ...(entry.contentEncoding ? { "Content-Encoding": entry.contentEncoding } : {}),
    },
    body,
  }
}

function hostileBody({ body, rawBody, base64, json }: HostileEntry): Buffer | null {
  if (rawBody !== undefined) return Buffer.from(rawBody)
  if (base64 !== undefined) return Buffer.from(base64, "base64")
  if (json !== undefined)
    return Buffer.from(`{"api_key":"phc_TEST","event":"e","distinct_id":"u","properties":{"n":${json}}}`)
  return body === undefined ? null : Buffer.from(JSON.stringify(expandGenerator(body)))
}

function expandGenerator(body: Json): Json {
  const generator = (body as { generator?: JsonObject } | null)?.generator
  if (generator === undefined) return body
  const { base, properties_keys: keys, properties, group_types: groupTypes } = generator
  if (typeof groupTypes === "number") return { api_key: "phc_TEST", batch: Array.from({ length: groupTypes }, toGroup) }
  if (typeof keys === "number")
    return {
      ...(base as JsonObject),
      properties: Object.fromEntries(Array.from({ length: keys }, (_, at) => [`k${at}`, at])),
    }
  const { repeat } = (properties as { s: { repeat: [string, number] } }).s
  return { ...(base as JsonObject), properties: { s: repeat[0].repeat(repeat[1]) } }
}

const toGroup = (_: unknown, at: number): JsonObject => ({
  event: "$groupidentify",
  distinct_id: "u",
  properties: { $group_type: `type${at}`, $group_key: "k", $group_set: {} },
})
