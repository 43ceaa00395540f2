import { isDeepStrictEqual } from "node:util"
import type { EntityManager } from "@mikro-orm/postgresql"
import type { JsonObject } from "../../kernel/json.js"
import { type Author, recordProjectActivity } from "../access/index.js"
import { PLAYLIST_SCOPE, type Playlist } from "./playlists.types.js"

/** What the audit log shows, by the names of the wire. */
const FIELDS = {
  name: "name",
  derived_name: "derivedName",
  description: "description",
  pinned: "pinned",
  deleted: "deleted",
  filters: "filters",
} as const satisfies Record<string, keyof Playlist>

type AuditedFields = Pick<Playlist, (typeof FIELDS)[keyof typeof FIELDS]>

/**
 * Logs a change of a playlist in the unit of work of `em`; `before` is null for a new one. A playlist without any name
 * leaves no entry, nor does a change that changes nothing (`docs/contract/recordings.md#changes-of-a-playlist`).
 */
export function recordPlaylistActivity(
  em: EntityManager,
  before: AuditedFields | null,
  after: Playlist,
  author: Author,
): void {
  const changes = before === null ? [] : listChanges(before, after)
  if ((!after.name && !after.derivedName) || (before !== null && changes.length === 0)) return
  const [itemId, activity] = [String(after.id), before === null ? "created" : "updated"]
  recordProjectActivity(em, { projectId: after.projectId, scope: PLAYLIST_SCOPE, itemId, activity, changes }, author)
}

function listChanges(before: AuditedFields, after: AuditedFields): JsonObject[] {
  return Object.entries(FIELDS).flatMap(([field, property]) => {
    const [old, now] = [before[property], after[property]]
    return isDeepStrictEqual(old, now) ? [] : [{ field, action: "changed", before: old, after: now }]
  })
}
