import type { DirectRow } from "../../../src/transport/rest/rest-route.types.js"
import { directRows } from "../all-rows.js"
import { WaymarkApi } from "../waymark-api.js"
import { type Outcome, toOutcome } from "./matrix-row.js"

/** A path that apps call with a project's public key, wherever such a path takes it. */
export interface PublicRow {
  readonly name: string
  /** Status of a request with a key that is no project's: 404 where it is part of the path, 200 where nothing is asked. */
  readonly withWrongKey: 200 | 401 | 404
  /** The same without any key; the newest path misses a header then. */
  readonly withoutKey: 200 | 400 | 401 | 404
  /** What it leaves behind in the project. */
  readonly stores: "events" | "a recording" | "nothing"
  /** Whether its answer tells of the project's flags. */
  readonly showsFlags: boolean
  /** `subject` names the user, and the session, that the request is about. */
  ask(url: string, key: string | null, subject: string): Promise<Outcome>
}

const V1_HEADERS = {
  "PostHog-Sdk-Info": "posthog-node/5.70.0",
  "PostHog-Attempt": "1",
  "PostHog-Request-Id": "00000000-0000-0000-0000-000000000001",
}

type Kind = "capture" | "recording" | "v1" | "decide" | "config" | "ofrep" | "list"

const KINDS: readonly (readonly [start: string, kind: Kind])[] = [
  ["/s", "recording"],
  ["/i/v1/", "v1"],
  ["/decide", "decide"],
  ["/flags", "decide"],
  ["/array/", "config"],
  ["/ofrep/", "ofrep"],
  ["/api/", "list"],
]

const kindOf = ({ path }: DirectRow): Kind =>
  KINDS.find(([start]) => path === start || (start.length > 2 && path.startsWith(start)))?.[1] ?? "capture"

/** A row of the matrix for every path that is open to public keys. */
export const publicRows: readonly PublicRow[] = directRows
  .filter(({ method }) => method === "POST" || method === "GET")
  .map((row) => {
    const { method } = row
    const kind = kindOf(row)
    const evaluates = kind === "ofrep" || (kind === "decide" && method === "POST")
    const withWrongKey = kind === "config" ? 404 : kind === "decide" && method === "GET" ? 200 : 401
    return {
      name: `${method} ${row.path}`,
      withWrongKey,
      withoutKey: kind === "v1" ? 400 : withWrongKey,
      stores: kind === "recording" ? "a recording" : kind === "capture" || kind === "v1" ? "events" : "nothing",
      showsFlags: evaluates && !row.path.includes("/:"),
      ask: async (url, key, subject) => {
        const { path, body, headers } = toRequest(row, key, subject)
        return toOutcome(await new WaymarkApi(url, null).request(method, path, body, headers))
      },
    }
  })

interface PublicRequest {
  readonly path: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

function toRequest(row: DirectRow, key: string | null, subject: string): PublicRequest {
  const { method, path } = row
  const kind = kindOf(row)
  const inBody = key === null ? {} : { api_key: key }
  const inQuery = key === null ? "" : `?token=${key}`
  if (kind === "config") return { path: path.replace(":token", key ?? "none") }
  if (kind === "list" || (kind === "decide" && method === "GET")) return { path: `${path}/${inQuery}` }
  if (kind === "decide") return { path: `${path}/?v=3`, body: { ...inBody, distinct_id: subject } }
  if (kind === "ofrep") {
    const headers: Record<string, string> = key === null ? {} : { "X-API-Key": key }
    return { path: path.replace(":flag_key", "none"), body: { context: { targetingKey: subject } }, headers }
  }
  if (kind === "v1") {
    const now = new Date().toISOString()
    const event = { uuid: crypto.randomUUID(), event: "seen", distinct_id: subject, timestamp: now, properties: {} }
    const headers = { ...V1_HEADERS, "PostHog-Request-Timestamp": now, ...(key && { Authorization: `Bearer ${key}` }) }
    return { path, body: { created_at: now, batch: [event] }, headers }
  }
  const body =
    path === "/batch" ? { ...inBody, batch: [toEvent(path, subject)] } : { ...inBody, ...toEvent(path, subject) }
  if (method === "POST") return { path: `${path}/`, body }
  const data = Buffer.from(JSON.stringify(body)).toString("base64")
  return { path: `${path}/?${new URLSearchParams({ data })}` }
}

function toEvent(path: string, subject: string): object {
  if (path === "/engage") return { distinct_id: subject, $set: { seen: true } }
  const snapshot = { type: 4, timestamp: Date.now(), data: { href: "https://a.test/", width: 1, height: 1 } }
  if (path === "/s")
    return {
      event: "$snapshot",
      distinct_id: subject,
      properties: { $session_id: subject, $window_id: "w", $snapshot_data: [snapshot] },
    }
  return { event: path.startsWith("/i/v0/ai") ? "$ai_generation" : "seen", distinct_id: subject, properties: {} }
}
