import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { markList, readCursor, writeCursor } from "../../../platform/graphql/cursor.js"
import type { ReportedChanges } from "./recording-change.types.js"

const toMark = (projectId: ProjectId): string => markList(["recording changes", projectId])

/** The cursor of a change: what has been reported with it. */
export const writeChangeCursor = (projectId: ProjectId, { place, endedMs, endedSession }: ReportedChanges): string =>
  writeCursor(toMark(projectId), [...place, endedMs, endedSession])

/**
 * Reads what a client gives as `since`; null without.
 * @throws AppError invalid_input naming it for what is no cursor, or one of another project.
 */
export function readChangeCursor(projectId: ProjectId, since: string | null): ReportedChanges | null {
  if (since === null) return null
  const [batch, position, endedMs, endedSession] = readCursor(toMark(projectId), since, "since")
  if (isCount(batch) && isCount(position) && isCount(endedMs) && typeof endedSession === "string")
    return { place: [batch, position], endedMs, endedSession }
  throw new AppError("invalid_input", { attr: "since", detail: "since is not a cursor." })
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0
