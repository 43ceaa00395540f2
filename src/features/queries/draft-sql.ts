import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { Json } from "../../kernel/json.js"
import { draftFromWords, toHogqlText } from "./draft-words.js"
import type { ProjectSettingsReader, QueryKind, QueryObject, RunScope } from "./queries.types.js"
import { toQueryRequest } from "./query-request.js"
import type { QuerySchemaReader } from "./query-schema.types.js"
import { type KindsOver, recordQuery } from "./statement-recorder.js"

const MAX_EXECUTION_SECONDS = 10
/** `reference/management.md` 7.6. */
const MAX_PROMPT_CHARACTERS = 400
const MOST_FREQUENT = `SELECT event, count() FROM events WHERE timestamp > now() - INTERVAL 30 DAY
GROUP BY event ORDER BY count() DESC, event LIMIT 1`

export interface DraftRequest {
  /** A query object of any kind. */
  readonly query?: Json | undefined
  /** A question in words. */
  readonly prompt?: string | null | undefined
}

export interface DraftSqlDependencies {
  readonly kinds: readonly QueryKind[]
  readonly kindsOver: KindsOver
  readonly schemas: QuerySchemaReader
  readonly projects: ProjectSettingsReader
  readonly nowMs: () => number
  readonly newId: () => string
}

export type DraftSql = ReturnType<typeof createDraftSql>

/** Drafts HogQL: what a query compiles to, or something to start from. */
export function createDraftSql({ kinds, kindsOver, schemas, projects, nowMs, newId }: DraftSqlDependencies) {
  async function scopeOf(projectId: ProjectId): Promise<RunScope> {
    const { timezone, weekStartDay } = await projects.settings(projectId)
    const signal = AbortSignal.timeout((MAX_EXECUTION_SECONDS + 5) * 1000)
    const run = { engineQueryId: newId(), maxExecutionSeconds: MAX_EXECUTION_SECONDS, signal }
    return { projectId, timezone, weekStartDay, nowMs: nowMs(), ...run }
  }

  async function textOf(projectId: ProjectId, query: QueryObject): Promise<string> {
    const recorded = await recordQuery(kindsOver, query, await scopeOf(projectId))
    const texts = (recorded?.statements ?? []).flatMap(({ compiled }) =>
      compiled === undefined ? [] : [compiled.hogql],
    )
    if (texts.length > 0) return texts.join(";\n\n")
    const detail =
      recorded === null ? `Unsupported query kind: ${query.kind.slice(0, 100)}` : `${query.kind} runs no SQL.`
    throw new AppError("invalid_input", { attr: "query__kind", detail })
  }

  /** Counts the project's most frequent event of the last 30 days by day; every event when there is none. */
  async function starter(projectId: ProjectId): Promise<string> {
    const kind = kinds.find(({ kind: name }) => name === "HogQLQuery")
    const answer = await kind?.run({ kind: "HogQLQuery", query: MOST_FREQUENT }, await scopeOf(projectId))
    const [first] = (answer?.results ?? []) as string[][]
    const condition = first?.[0] === undefined ? "" : `event = ${toHogqlText(first[0])} AND `
    return [
      "SELECT toStartOfDay(timestamp) AS day, count() AS events, count(DISTINCT person_id) AS persons",
      "FROM events",
      `WHERE ${condition}timestamp > now() - INTERVAL 30 DAY`,
      "GROUP BY day",
      "ORDER BY day",
    ].join("\n")
  }

  async function fromWords(projectId: ProjectId, words: string): Promise<string> {
    if (words.length > MAX_PROMPT_CHARACTERS)
      throw new AppError("max_length", {
        ...{ attr: "prompt", wireCode: "too_long" },
        detail: `Ensure this field has no more than ${MAX_PROMPT_CHARACTERS} characters.`,
      })
    const kind = kinds.find(({ kind: name }) => name === "TeamTaxonomyQuery")
    const answer = await kind?.run({ kind: "TeamTaxonomyQuery" }, await scopeOf(projectId))
    const events = ((answer?.results ?? []) as { event: string }[]).map(({ event }) => event)
    const { eventProperties, personProperties } = await schemas.read(projectId)
    return draftFromWords(words, {
      ...{ events, eventProperties: eventProperties.keys(), personProperties: personProperties.keys() },
    })
  }

  /** @throws AppError max_length for too many words, and every fault of the query. */
  return async (projectId: ProjectId, { query, prompt }: DraftRequest): Promise<string> => {
    if (query != null) return textOf(projectId, toQueryRequest({ query }).query)
    const words = prompt?.trim() ?? ""
    return words === "" ? starter(projectId) : fromWords(projectId, words)
  }
}
