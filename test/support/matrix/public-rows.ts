import type { DirectRoute, RestRoute } from "../../../src/transport/rest/rest-route.types.js"
import { restRoutes } from "../../../src/transport/rest/routes/index.js"
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

const isPublic = (route: RestRoute): route is DirectRoute =>
  route.target === "direct" && (route.method === "POST" || route.method === "GET")

/** A row of the matrix for every path that is open to public keys. */
export const publicRows: readonly PublicRow[] = restRoutes.filter(isPublic).map((route) => {
  const { handler, surface, method } = route
  const evaluates = handler === "ofrep" || (handler === "decide" && method === "POST")
  const withWrongKey = handler === "config" ? 404 : handler === "decide" && method === "GET" ? 200 : 401
  return {
    name: `${method} ${route.path}`,
    withWrongKey,
    withoutKey: surface === "v1" ? 400 : withWrongKey,
    stores: handler !== "capture" ? "nothing" : surface === "replay" ? "a recording" : "events",
    showsFlags: evaluates && !route.path.includes("/:"),
    ask: async (url, key, subject) => {
      const { path, body, headers } = toRequest(route, key, subject)
      return toOutcome(await new WaymarkApi(url, null).request(method, path, body, headers))
    },
  }
})

interface PublicRequest {
  readonly path: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

function toRequest(
  { handler, surface, method, path }: DirectRoute,
  key: string | null,
  subject: string,
): PublicRequest {
  const inBody = key === null ? {} : { api_key: key }
  const inQuery = key === null ? "" : `?token=${key}`
  if (handler === "config") return { path: path.replace(":token", key ?? "none") }
  if (handler === "browserList" || (handler === "decide" && method === "GET")) return { path: `${path}/${inQuery}` }
  if (handler === "decide") return { path: `${path}/?v=3`, body: { ...inBody, distinct_id: subject } }
  if (handler === "ofrep") {
    const headers: Record<string, string> = key === null ? {} : { "X-API-Key": key }
    return { path: path.replace(":flag_key", "none"), body: { context: { targetingKey: subject } }, headers }
  }
  if (surface === "v1") {
    const now = new Date().toISOString()
    const event = { uuid: crypto.randomUUID(), event: "seen", distinct_id: subject, timestamp: now, properties: {} }
    const headers = { ...V1_HEADERS, "PostHog-Request-Timestamp": now, ...(key && { Authorization: `Bearer ${key}` }) }
    return { path, body: { created_at: now, batch: [event] }, headers }
  }
  const body =
    path === "/batch" ? { ...inBody, batch: [toEvent(surface, subject)] } : { ...inBody, ...toEvent(surface, subject) }
  if (method === "POST") return { path: `${path}/`, body }
  const data = Buffer.from(JSON.stringify(body)).toString("base64")
  return { path: `${path}/?${new URLSearchParams({ data })}` }
}

function toEvent(surface: DirectRoute["surface"], subject: string): object {
  if (surface === "engage") return { distinct_id: subject, $set: { seen: true } }
  const snapshot = { type: 4, timestamp: Date.now(), data: { href: "https://a.test/", width: 1, height: 1 } }
  if (surface === "replay")
    return {
      event: "$snapshot",
      distinct_id: subject,
      properties: { $session_id: subject, $window_id: "w", $snapshot_data: [snapshot] },
    }
  return { event: surface === "ai" ? "$ai_generation" : "seen", distinct_id: subject, properties: {} }
}
