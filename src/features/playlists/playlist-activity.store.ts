import { isDeepStrictEqual } from "node:util"
import type { EntityManager } from "@mikro-orm/postgresql"
import { asProjectId, type ProjectId, type UserId } from "../../kernel/ids.js"
import type { Json, JsonObject } from "../../kernel/json.js"
import type { Database } from "../../platform/postgres/database.types.js"
import { whenReachable } from "../../platform/postgres/when-reachable.js"
import { recordActivity } from "../access/index.js"
import type { Playlist, PlaylistActivity, ReadPlaylistActivity } from "./playlists.types.js"

const SCOPE = "SessionRecordingPlaylist"
/** What the audit log tells of, by the names of the wire. */
const FIELDS = {
  ...{ name: "name", derived_name: "derivedName", description: "description" },
  ...{ pinned: "pinned", deleted: "deleted", filters: "filters" },
} as const satisfies Record<string, keyof Playlist>

const OF_PLAYLIST = `FROM activity_log WHERE scope = '${SCOPE}' AND item_id = $1 AND project_id = $2`
const LIST = `SELECT id, activity, changes, user_id AS "userId", created_at AS "createdAt" ${OF_PLAYLIST}
  ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4`
const COUNT = `SELECT count(*)::int AS count ${OF_PLAYLIST}`

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
  before: Playlist | null,
  after: Playlist,
  { id, userId, at }: PlaylistAuthor,
): void {
  const changes = before === null ? [] : changesOf(before, after)
  if ((!after.name && !after.derivedName) || (before !== null && changes.length === 0)) return
  recordActivity(em, {
    ...{ id, scope: SCOPE, itemId: String(after.id), activity: before === null ? "created" : "updated", changes },
    ...{ projectId: asProjectId(after.projectId), organizationId: null, userId, createdAt: at },
  })
}

function changesOf(before: Playlist, after: Playlist): JsonObject[] {
  return Object.entries(FIELDS).flatMap(([field, property]) => {
    const [old, now] = [before[property] as Json, after[property] as Json]
    return isDeepStrictEqual(old, now) ? [] : [{ field, action: "changed", before: old, after: now }]
  })
}

/** Entries of one playlist, newest first. */
export function createPlaylistActivityReader({ pool }: Pick<Database, "pool">): ReadPlaylistActivity {
  return (projectId: ProjectId, playlistId, { limit, offset }) =>
    whenReachable(async () => {
      const of = [String(playlistId), projectId]
      const { rows: items } = await pool.query<PlaylistActivity>(LIST, [...of, limit, offset])
      const { rows } = await pool.query<{ count: number }>(COUNT, of)
      return { items, totalCount: rows[0]?.count ?? 0 }
    })
}
