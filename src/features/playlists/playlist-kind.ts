import { AppError } from "../../kernel/errors.js"
import type { Json } from "../../kernel/json.js"
import type { PlaylistKind } from "./playlists.types.js"

/**
 * A playlist with saved filters is of the kind `filters`; every other one is a collection
 * (`docs/contract/recordings.md#playlist-fields`).
 */
export const toKind = (filters: Json): PlaylistKind => (isEmpty(filters) ? "collection" : "filters")

/** What `isEmpty` says, as a condition of PostgreSQL on a column of JSON. */
export const hasNoFilters = (column: string): string =>
  `coalesce(${column}, 'null')::text IN ('null', '{}', '[]', '""')`

const isEmpty = (filters: Json): boolean =>
  typeof filters === "object" && filters !== null
    ? Object.keys(filters).length === 0
    : filters === null || filters === ""

/**
 * The rules for a kind that a caller names when making a playlist; nobody has to name one.
 * @throws AppError invalid_input about the request as a whole, in the words that clients know.
 */
export function checkKind(kind: PlaylistKind, filters: Json): void {
  if (toKind(filters) === kind) return
  throw new AppError("invalid_input", {
    detail:
      kind === "collection"
        ? "You cannot create a collection with filters"
        : "You must provide a valid filters when creating a saved filter",
  })
}
