import { AppError } from "../../kernel/errors.js"
import type { Place } from "../../kernel/place.js"
import { markList, readCursor, writeCursor } from "./cursor.js"

/** The cursor of something live: where it lies in the order of storing. `identity` names the kind and the project. */
export const writePlaceCursor = (identity: readonly unknown[], place: Place): string =>
  writeCursor(markList(identity), place)

/**
 * Reads what a client gives as `since`; null without.
 * @throws AppError invalid_input naming it for what is no cursor, or one of something else.
 */
export function readPlaceCursor(identity: readonly unknown[], since: string | null): Place | null {
  if (since === null) return null
  const [batch, position, ...rest] = readCursor(markList(identity), since, "since")
  if (isCount(batch) && isCount(position) && rest.length === 0) return [batch, position]
  throw new AppError("invalid_input", { attr: "since", detail: "since is not a cursor." })
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0
