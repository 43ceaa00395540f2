import { createHash } from "node:crypto"
import type { ProjectId } from "../../../kernel/ids.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import type { ProjectSettings, QueryObject } from "../queries.types.js"

/** Raised when answers change their shape, so that old cached ones are not served. */
const ANSWER_VERSION = 2

/** Same key, same answer: project, query (whatever the order of its keys), time zone and week start go in. */
export function cacheKeyOf(projectId: ProjectId, query: QueryObject, settings: ProjectSettings): string {
  const text = JSON.stringify([ANSWER_VERSION, projectId, settings.timezone, settings.weekStartDay, sorted(query)])
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
