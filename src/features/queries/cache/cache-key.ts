import { createHash } from "node:crypto"
import type { ProjectId } from "../../../kernel/ids.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import type { ProjectSettings, QueryObject } from "../queries.types.js"

/** Raised when answers change their shape, so that old cached ones are not served. */
const ANSWER_VERSION = 3

/**
 * Same key, same answer: project, query (whatever the order of its keys), time zone and week start go in, and who is a test
 * account where a query leaves those out.
 */
export function toCacheKey(projectId: ProjectId, query: QueryObject, settings: ProjectSettings): string {
  const { timezone, weekStartDay, settings: own = {} } = settings
  const asked = JSON.stringify(sorted(query))
  const testAccounts = asked.includes('"filterTestAccounts":true') ? (own.test_account_filters ?? null) : null
  const text = JSON.stringify([ANSWER_VERSION, projectId, timezone, weekStartDay, testAccounts, asked])
  return `cache_${createHash("sha256").update(text).digest("hex").slice(0, 40)}`
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
