import type { Method, RestRoute } from "./rest-route.types.js"

/** The rows of one path, with the values of its parameters. */
export interface RouteMatch {
  readonly byMethod: ReadonlyMap<string, RestRoute>
  readonly params: Readonly<Record<string, string>>
}

/** Finds the rows of a path (without query); null when the path is not in the table. */
export type MatchRoute = (path: string) => RouteMatch | null

const ENVIRONMENTS = "/api/environments/"
const PROJECTS = "/api/projects/"
const NO_PARAMS: Readonly<Record<string, string>> = {}

interface Pattern {
  readonly segments: readonly string[]
  readonly byMethod: Map<string, RestRoute>
}

/** Every path a row is served under: `/api/projects/` is another way to write `/api/environments/`. */
export const pathsOf = ({ path }: RestRoute): readonly string[] =>
  path.startsWith(ENVIRONMENTS) ? [path, PROJECTS + path.slice(ENVIRONMENTS.length)] : [path]

/**
 * Makes the matcher of a table. Paths match exactly, segment by segment, with or without a final slash; fixed paths,
 * which the hot ones are, are one look-up.
 * @throws Error when two rows want the same method and path.
 */
export function createRouteTable(routes: readonly RestRoute[]): MatchRoute {
  const patterns = new Map<string, Pattern>()
  for (const route of routes)
    for (const path of pathsOf(route)) {
      const pattern = patterns.get(path) ?? { segments: path.split("/"), byMethod: new Map<string, RestRoute>() }
      if (pattern.byMethod.has(route.method)) throw new Error(`two rows for ${route.method} ${path}`)
      pattern.byMethod.set(route.method, route)
      patterns.set(path, pattern)
    }
  const fixed = new Map([...patterns].filter(([path]) => !path.includes("/:")))
  const withParams = [...patterns].filter(([path]) => path.includes("/:")).map(([, pattern]) => pattern)
  return (path) => {
    const trimmed = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path
    const exact = fixed.get(trimmed)
    if (exact !== undefined) return { byMethod: exact.byMethod, params: NO_PARAMS }
    const segments = trimmed.split("/")
    for (const pattern of withParams) {
      const params = matchSegments(pattern.segments, segments)
      if (params !== null) return { byMethod: pattern.byMethod, params }
    }
    return null
  }
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (pattern.length !== segments.length) return null
  const params: Record<string, string> = {}
  for (const [index, expected] of pattern.entries()) {
    const actual = segments[index] as string
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

/** The `Allow` header of a path. GET answers HEAD too. */
export function allowedMethods(match: RouteMatch): Method[] {
  const methods = [...match.byMethod.keys()] as Method[]
  return methods.includes("GET") && !methods.includes("HEAD") ? [...methods, "HEAD"] : methods
}
