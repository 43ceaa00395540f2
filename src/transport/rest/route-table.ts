import type { IncomingMessage, ServerResponse } from "node:http"
import type { RestRoute } from "./rest-route.types.js"

/** The rows of one path. */
export interface PathRows {
  readonly byMethod: ReadonlyMap<string, RestRoute>
  /** Value of the `Allow` header. */
  readonly allow: string
  /** Whether pages of any origin may read the answers, faults included. */
  readonly anyOrigin: boolean
}

/** The rows of a requested path with the values of its parameters. */
export interface RouteMatch {
  readonly rows: PathRows
  readonly params: Readonly<Record<string, string>>
}

/** A request whose path is in the table, and what answers it. */
export interface RoutedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** As sent, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly match: RouteMatch
}

/** Finds the rows of a path (without query); null when the path is not in the table. */
export type MatchRoute = (path: string) => RouteMatch | null

const ENVIRONMENTS = "/api/environments/"
const PROJECTS = "/api/projects/"
const NO_PARAMS: Readonly<Record<string, string>> = {}

interface Pattern {
  readonly segments: readonly string[]
  readonly rows: PathRows
}

/** Every path a row is served under: `/api/projects/` is another way to write `/api/environments/`. */
const listPaths = ({ path, alsoAt = [] }: RestRoute): readonly string[] =>
  path.startsWith(ENVIRONMENTS) ? [path, PROJECTS + path.slice(ENVIRONMENTS.length), ...alsoAt] : [path, ...alsoAt]

/**
 * Makes the matcher of a table. Paths match exactly, segment by segment, with or without a final slash; fixed paths,
 * which the hot ones are, are one look-up.
 * @throws Error when two rows want the same method and path.
 */
export function createRouteTable(routes: readonly RestRoute[]): MatchRoute {
  const patterns = [...groupByPath(routes)].map(([path, byMethod]) => ({
    path,
    segments: path.split("/"),
    rows: toPathRows(byMethod),
  }))
  const fixed = new Map(patterns.filter(({ path }) => !path.includes("/:")).map(({ path, rows }) => [path, rows]))
  // Fewer parameters first: `persons/bulk_delete` is never a person's id.
  const withParams: readonly Pattern[] = patterns
    .filter(({ path }) => path.includes("/:"))
    .sort((a, b) => parameterCount(a) - parameterCount(b))
  return (path) => {
    const trimmed = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path
    const exact = fixed.get(trimmed)
    if (exact !== undefined) return { rows: exact, params: NO_PARAMS }
    const segments = trimmed.split("/")
    for (const pattern of withParams) {
      const params = matchSegments(pattern.segments, segments)
      if (params !== null) return { rows: pattern.rows, params }
    }
    return null
  }
}

const parameterCount = ({ segments }: Pattern): number => segments.filter((segment) => segment.startsWith(":")).length

function groupByPath(routes: readonly RestRoute[]): Map<string, Map<string, RestRoute>> {
  const paths = new Map<string, Map<string, RestRoute>>()
  for (const route of routes)
    for (const path of listPaths(route)) {
      const byMethod = paths.get(path) ?? new Map<string, RestRoute>()
      if (byMethod.has(route.method)) throw new Error(`two rows for ${route.method} ${path}`)
      paths.set(path, byMethod.set(route.method, route))
    }
  return paths
}

/** A row for GET answers HEAD too: node leaves the body out. */
function toPathRows(given: ReadonlyMap<string, RestRoute>): PathRows {
  const byMethod = new Map(given)
  const get = byMethod.get("GET")
  if (get !== undefined && !byMethod.has("HEAD")) byMethod.set("HEAD", get)
  return {
    byMethod,
    allow: [...byMethod].flatMap(([method, row]) => (isRefusal(row) ? [] : [method])).join(", "),
    anyOrigin: [...byMethod.values()].every(({ target }) => target === "direct"),
  }
}

/** Some methods have a row only to be refused with its own words. */
const isRefusal = ({ statuses }: RestRoute): boolean => statuses.every((status) => status === 405)

function matchSegments(pattern: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (pattern.length !== segments.length) return null
  const params: Record<string, string> = {}
  for (const [index, expected] of pattern.entries()) {
    const actual = segments[index] ?? ""
    if (!expected.startsWith(":")) {
      if (expected !== actual) return null
      continue
    }
    const value = decodeSegment(actual)
    if (value === null || value === "" || value.includes("\u0000")) return null
    params[expected.slice(1)] = value
  }
  return params
}

function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}
