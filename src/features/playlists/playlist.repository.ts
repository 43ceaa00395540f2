import { type FilterQuery, LockMode, wrap } from "@mikro-orm/core"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { ListPage, PageRequest } from "../../kernel/paging.js"
import type { Ids } from "../../platform/ids/ids.js"
import { readRecords } from "../../platform/postgres/record-list.js"
import type { Records } from "../../platform/postgres/records.js"
import { BY_ID, type SqlOrderColumn, toOrderColumn } from "../../platform/postgres/sql-order.js"
import { PlaylistEntity, PlaylistItemEntity } from "./playlist.entity.js"
import { recordPlaylistActivity } from "./playlist-activity.repository.js"
import type { NewPlaylist, Playlist, PlaylistFilter, PlaylistOrder } from "./playlists.types.js"

/** Descriptions may be long; cursors are to be short (`docs/contract/management.md#paging`). */
const MAX_ORDERED_CHARACTERS = 400

const ORDERS: Readonly<Record<PlaylistOrder["field"], SqlOrderColumn>> = {
  id: BY_ID,
  short_id: toOrderColumn("shortId", "text"),
  description: toOrderColumn("description", "text", { maxCharacters: MAX_ORDERED_CHARACTERS }),
  created_by: toOrderColumn("createdById", "integer", { isNullable: true }),
  last_modified_by: toOrderColumn("lastModifiedById", "integer", { isNullable: true }),
  last_modified_at: toOrderColumn("lastModifiedAt", "time"),
  created_at: toOrderColumn("createdAt", "time"),
  name: toOrderColumn("name", "text", { isNullable: true }),
  derived_name: toOrderColumn("derivedName", "text", { isNullable: true }),
  pinned: toOrderColumn("pinned", "boolean"),
}

const LOCKED = { lockMode: LockMode.PESSIMISTIC_WRITE } as const

export type PlaylistRepository = ReturnType<typeof createPlaylistRepository>

/**
 * Playlists and what is attached to them, in PostgreSQL. A change and its entry in the audit log are written together.
 * Methods throw AppError store_unavailable when PostgreSQL is away.
 */
export function createPlaylistRepository(records: Records, ids: Pick<Ids, "uuidV7">) {
  return {
    list: (
      projectId: ProjectId,
      filter: PlaylistFilter,
      { field, descending: isDescending }: PlaylistOrder,
      page: PageRequest,
    ): Promise<ListPage<Playlist>> => {
      const order = [ORDERS[field], BY_ID].map((column) => ({ ...column, isDescending }))
      const where = toConditions(projectId, filter)
      return readRecords(
        records,
        {
          order,
          find: (em, { beyond, options }) => em.find(PlaylistEntity, { $and: [where, beyond] }, options),
          count: (em) => em.count(PlaylistEntity, where),
        },
        page,
      )
    },

    /** Deleted playlists are found too: that is how they are restored. */
    find: (projectId: ProjectId, shortId: string): Promise<Playlist | null> =>
      records.read((em) => em.findOne(PlaylistEntity, { projectId, shortId })),

    /** Those of these that are not deleted. */
    findMany: (projectId: ProjectId, shortIds: readonly string[]): Promise<Playlist[]> =>
      records.read((em) => em.find(PlaylistEntity, { projectId, shortId: { $in: [...shortIds] }, deleted: false })),

    /** The same by their numbers. */
    findNumbered: (projectId: ProjectId, numbers: readonly number[]): Promise<Playlist[]> =>
      records.read((em) => em.find(PlaylistEntity, { projectId, id: { $in: [...numbers] }, deleted: false })),

    insert: (playlist: NewPlaylist, userId: UserId) =>
      records.write(async (em): Promise<Playlist> => {
        const created = em.create(PlaylistEntity, playlist)
        await em.flush()
        recordPlaylistActivity(em, null, created, { id: ids.uuidV7(), userId, at: created.createdAt })
        return created
      }),

    update: (projectId: ProjectId, id: number, changes: Partial<NewPlaylist>, userId: UserId, at: Date) =>
      records.write(async (em): Promise<Playlist> => {
        const playlist = await em.findOneOrFail(PlaylistEntity, { projectId, id }, LOCKED)
        const before = wrap(playlist).toPOJO()
        em.assign(playlist, changes)
        recordPlaylistActivity(em, before, playlist, { id: ids.uuidV7(), userId, at })
        return playlist
      }),

    /** Sessions attached to a playlist, newest attachment first. */
    listAttached: (playlist: number) =>
      records.read(async (em) => {
        const newestFirst = { orderBy: { attachedAt: "desc", sessionId: "desc" } } as const
        const items = await em.find(PlaylistItemEntity, { playlist }, newestFirst)
        return items.map(({ sessionId, attachedAt }) => ({ sessionId, attachedAt }))
      }),

    /** Returns how many were not attached before. */
    attach: (id: number, sessionIds: readonly string[], attachedAt: Date) =>
      records.write(async (em) => {
        // Locked, so that of two calls at once each session is new to one only.
        const playlist = await em.findOneOrFail(PlaylistEntity, id, LOCKED)
        const known = await em.find(PlaylistItemEntity, { playlist, sessionId: { $in: [...sessionIds] } })
        const added = sessionIds.filter((wanted) => !known.some(({ sessionId }) => sessionId === wanted))
        for (const sessionId of added) em.create(PlaylistItemEntity, { playlist, sessionId, attachedAt })
        return added.length
      }),

    /** Returns how many were attached. */
    detach: (playlist: number, sessionIds: readonly string[]) =>
      records.write((em) => em.nativeDelete(PlaylistItemEntity, { playlist, sessionId: { $in: [...sessionIds] } })),
  }
}

function toConditions(projectId: ProjectId, filter: PlaylistFilter): FilterQuery<PlaylistEntity> {
  const { createdBy, shortId, type, pinned, modifiedFrom, modifiedTo, search, sessionRecordingId } = filter
  const conditions: FilterQuery<PlaylistEntity>[] = [{ projectId, deleted: false }]
  if (createdBy !== undefined) conditions.push({ createdById: createdBy })
  if (shortId !== undefined) conditions.push({ shortId })
  if (type !== undefined) conditions.push({ isCollection: type === "collection" })
  if (pinned !== undefined) conditions.push({ pinned })
  if (modifiedFrom !== undefined) conditions.push({ lastModifiedAt: { $gte: modifiedFrom } })
  if (modifiedTo !== undefined) conditions.push({ lastModifiedAt: { $lte: modifiedTo } })
  if (search !== undefined) {
    const pattern = `%${search.replace(/[\\%_]/g, "\\$&")}%`
    conditions.push({ $or: [{ name: { $ilike: pattern } }, { derivedName: { $ilike: pattern } }] })
  }
  if (sessionRecordingId !== undefined) conditions.push({ items: { $some: { sessionId: sessionRecordingId } } })
  return { $and: conditions }
}
