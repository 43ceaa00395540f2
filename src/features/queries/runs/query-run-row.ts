import { AppError } from "../../../kernel/errors.js"
import { parseExactJson } from "../../../kernel/exact-json.js"
import type { QueryAnswer, QueryRequest } from "../queries.types.js"
import type { QueryRun } from "./query-run.js"

/** A larger answer would make every read of its status slow. */
const MAX_ANSWER_CHARACTERS = 64 * 1024 * 1024

/** Columns of `query_run` under the names of a run. */
export const RUN_COLUMNS = `project_id AS "projectId", id, state, request, cache_key AS "cacheKey",
  engine_query_id AS "engineQueryId", error_message AS "errorMessage", error, answer, progress, sequence,
  queued_at AS "queuedAt", picked_up_at AS "pickedUpAt", ended_at AS "endedAt", expires_at AS "expiresAt"`

/** A run as it is stored: what was asked for and answered as JSON text, so that long numbers keep their digits. */
export interface RunRow extends Omit<QueryRun, "request" | "answer"> {
  readonly request: string
  readonly answer: string | null
}

/** Parses the texts of a row; whole numbers of the answer keep all their digits. */
export const toRun = (row: RunRow): QueryRun => ({
  ...row,
  request: JSON.parse(row.request) as QueryRequest,
  answer: row.answer === null ? null : (parseExactJson(row.answer) as QueryAnswer),
})

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
