import { AppError } from "../../kernel/errors.js"
import type { Json } from "../../kernel/json.js"
import type { PlaylistKind } from "./playlists.types.js"

/** A playlist with saved filters is of the kind `filters`; every other one is a collection (`management.md` 3). */
export const kindOf = (filters: Json): PlaylistKind => (isEmpty(filters) ? "collection" : "filters")

/** The texts of what `isEmpty` holds for, as PostgreSQL writes them. */
export const EMPTY_FILTERS = ["null", "{}", "[]", '""'] as const

const isEmpty = (filters: Json): boolean =>
  typeof filters === "object" && filters !== null
    ? Object.keys(filters).length === 0
    : filters === null || filters === ""

/**
 * The rules for a kind that a caller names when making a playlist; nobody has to name one.
 * @throws AppError invalid_input about the request as a whole, in the words that clients know.
 */
export function checkKind(kind: PlaylistKind, filters: Json): void {
  if (kindOf(filters) === kind) return
  throw new AppError("invalid_input", {
    detail:
      kind === "collection"
        ? "You cannot create a collection with filters"
        : "You must provide a valid filters when creating a saved filter",
  })
}
