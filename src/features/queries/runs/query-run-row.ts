import type { Pool } from "pg"
import { AppError } from "../../../kernel/errors.js"
import { parseExactJson } from "../../../kernel/exact-json.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { EngineProgress, QueryAnswer, QueryRequest } from "../queries.types.js"
import type { QueryRun, RunState } from "./query-run.js"

/** A larger answer would make every read of its status slow. */
const MAX_ANSWER_CHARACTERS = 64 * 1024 * 1024

interface RunRow {
  project_id: ProjectId
  id: string
  state: RunState
  request: string
  cache_key: string
  engine_query_id: string
  error_message: string | null
  answer: string | null
  progress: EngineProgress | null
  sequence: number
  queued_at: Date
  picked_up_at: Date | null
  ended_at: Date | null
  expires_at: Date
}

/** The runs of a statement that answers whole rows of `query_run`. */
export async function runsOf(pool: Pool, text: string, values: readonly unknown[]): Promise<QueryRun[]> {
  const { rows } = await pool.query<RunRow>(text, [...values])
  return rows.map(toRun)
}

/** The run of a statement that answers one row of `query_run` at most. */
export async function runOf(pool: Pool, text: string, values: readonly unknown[]): Promise<QueryRun | null> {
  const [run = null] = await runsOf(pool, text, values)
  return run
}

/** @throws AppError invalid_input for an answer that is too large to be kept. */
export function toAnswerText(answer: QueryAnswer): string {
  const text = JSON.stringify(answer)
  if (text.length <= MAX_ANSWER_CHARACTERS) return text
  const megabytes = (characters: number): number => Math.round(characters / 2 ** 20)
  throw new AppError("invalid_input", {
    wireCode: "answer_too_large",
    detail: `The answer has ${megabytes(text.length)} MB, and a tracked query keeps at most ${megabytes(MAX_ANSWER_CHARACTERS)} MB. Ask for fewer rows or columns, or export it.`,
  })
}

const toRun = (row: RunRow): QueryRun => ({
  projectId: row.project_id,
  id: row.id,
  state: row.state,
  request: JSON.parse(row.request) as QueryRequest,
  cacheKey: row.cache_key,
  engineQueryId: row.engine_query_id,
  errorMessage: row.error_message,
  answer: row.answer === null ? null : (parseExactJson(row.answer) as QueryAnswer),
  progress: row.progress,
  sequence: row.sequence,
  queuedAt: row.queued_at,
  pickedUpAt: row.picked_up_at,
  endedAt: row.ended_at,
  expiresAt: row.expires_at,
})
