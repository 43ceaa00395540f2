import { createHash } from "node:crypto"
import type { ProjectId } from "../../../kernel/ids.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import type { ProjectSettings, QueryObject } from "../queries.types.js"

/** Raised when answers change their shape, so that old cached ones are not served. */
const ANSWER_VERSION = 4

/** Begins the keys of all answers of a project. */
export const toCacheKeyPrefix = (projectId: ProjectId): string => `cache_${projectId}_`

/**
 * A key that is equal only for equal answers: made of the project, the query (in any order of its keys), time zone, week
 * start, the test account filters where a query uses them, the rules for paths, which saved conditions may use as well,
 * and the generation of the project's answers (`docs/contract/queries.md#deleted-persons`).
 */
export function toCacheKey(
  projectId: ProjectId,
  query: QueryObject,
  settings: ProjectSettings,
  generation: number,
): string {
  const { timezone, weekStartDay, settings: own = {}, pathCleaning = [] } = settings
  const asked = JSON.stringify(sorted(query))
  const testAccounts = asked.includes('"filterTestAccounts":true') ? (own.test_account_filters ?? null) : null
  const known = [ANSWER_VERSION, projectId, generation, timezone, weekStartDay, testAccounts, asked]
  const text = JSON.stringify(pathCleaning.length === 0 ? known : [...known, pathCleaning])
  return `${toCacheKeyPrefix(projectId)}${createHash("sha256").update(text).digest("hex").slice(0, 40)}`
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] as Json)]),
  )
}
