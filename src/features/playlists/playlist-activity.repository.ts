import { isDeepStrictEqual } from "node:util"
import type { EntityManager } from "@mikro-orm/postgresql"
import type { UserId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"
import { recordActivity } from "../access/index.js"
import { PLAYLIST_SCOPE, type Playlist } from "./playlists.types.js"

/** What the audit log tells of, by the names of the wire. */
const FIELDS = {
  name: "name",
  derived_name: "derivedName",
  description: "description",
  pinned: "pinned",
  deleted: "deleted",
  filters: "filters",
} as const satisfies Record<string, keyof Playlist>

type AuditedFields = Pick<Playlist, (typeof FIELDS)[keyof typeof FIELDS]>

/** Who did something to a playlist, and when. */
export interface PlaylistAuthor {
  /** Of the entry in the log. */
  readonly id: string
  readonly userId: UserId
  readonly at: Date
}

/**
 * Writes down what became of a playlist in the unit of work of `em`; `before` is null for a new one. A playlist without any
 * name leaves no entry, nor does a change that changes nothing (`management.md` 3).
 */
export function recordPlaylistActivity(
  em: EntityManager,
  before: AuditedFields | null,
  after: Playlist,
  { id, userId, at }: PlaylistAuthor,
): void {
  const changes = before === null ? [] : listChanges(before, after)
  if ((!after.name && !after.derivedName) || (before !== null && changes.length === 0)) return
  recordActivity(em, {
    id,
    scope: PLAYLIST_SCOPE,
    itemId: String(after.id),
    activity: before === null ? "created" : "updated",
    changes,
    projectId: after.projectId,
    organizationId: null,
    userId,
    createdAt: at,
  })
}

function listChanges(before: AuditedFields, after: AuditedFields): JsonObject[] {
  return Object.entries(FIELDS).flatMap(([field, property]) => {
    const [old, now] = [before[property], after[property]]
    return isDeepStrictEqual(old, now) ? [] : [{ field, action: "changed", before: old, after: now }]
  })
}
