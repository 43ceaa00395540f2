import { type FilterQuery, LockMode, raw } from "@mikro-orm/core"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { Page } from "../../kernel/paging.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { Database } from "../../platform/postgres/database.types.js"
import { whenReachable } from "../../platform/postgres/when-reachable.js"
import { PlaylistEntity } from "./playlist.entity.js"
import { recordPlaylistActivity } from "./playlist-activity.store.js"
import { createPlaylistItems } from "./playlist-items.store.js"
import { EMPTY_FILTERS } from "./playlist-kind.js"
import type { CollectionCount, Playlist, PlaylistFilter, PlaylistOrder, PlaylistRepository } from "./playlists.types.js"

const ORDER_PROPERTIES = {
  id: "id",
  short_id: "shortId",
  description: "description",
  created_by: "createdById",
  last_modified_by: "lastModifiedById",
  last_modified_at: "lastModifiedAt",
  created_at: "createdAt",
  name: "name",
  derived_name: "derivedName",
  pinned: "pinned",
} as const

/** Playlists in PostgreSQL, through the ORM. Methods throw AppError store_unavailable when it is away. */
export function createPostgresPlaylistRepository(database: Database, ids: Pick<Ids, "uuidV7">): PlaylistRepository {
  const entities = () => database.orm.em.fork()
  return {
    list: (projectId, filter, order, { limit, offset }) =>
      whenReachable(async (): Promise<Page<Playlist>> => {
        const conditions = await conditionsOf(projectId, filter)
        const [items, totalCount] = await entities().findAndCount(PlaylistEntity, conditions, {
          ...{ limit, offset },
          orderBy: orderBy(order),
        })
        return { items: items.map(toPlaylist), totalCount }
      }),

    find: (projectId, shortId) =>
      whenReachable(async () => {
        const playlist = await entities().findOne(PlaylistEntity, { projectId, shortId })
        return playlist === null ? null : toPlaylist(playlist)
      }),

    insert: (playlist, userId) =>
      whenReachable(() =>
        entities().transactional(async (em) => {
          const entity = em.create(PlaylistEntity, playlist)
          await em.flush()
          const created = toPlaylist(entity)
          recordPlaylistActivity(em, null, created, { id: ids.uuidV7(), userId, at: created.createdAt })
          return created
        }),
      ),

    update: (projectId, id, changes, userId, at) =>
      whenReachable(() =>
        entities().transactional(async (em) => {
          const lockMode = LockMode.PESSIMISTIC_WRITE
          const entity = await em.findOneOrFail(PlaylistEntity, { projectId, id }, { lockMode })
          const before = toPlaylist(entity)
          em.assign(entity, changes)
          const after = toPlaylist(entity)
          recordPlaylistActivity(em, before, after, { id: ids.uuidV7(), userId, at })
          return after
        }),
      ),

    collectionCounts: (playlistIds, viewer) => whenReachable(() => countCollections(database, playlistIds, viewer)),
    ...createPlaylistItems(database.pool),
  }

  async function conditionsOf(projectId: ProjectId, filter: PlaylistFilter): Promise<FilterQuery<PlaylistEntity>> {
    const conditions: FilterQuery<PlaylistEntity>[] = [{ projectId, deleted: false }]
    if (filter.createdBy !== undefined) conditions.push({ createdById: filter.createdBy })
    if (filter.shortId !== undefined) conditions.push({ shortId: filter.shortId })
    if (filter.type !== undefined) {
      const isEmpty = raw(`coalesce(filters, 'null')::text IN (${EMPTY_FILTERS.map((text) => `'${text}'`).join(", ")})`)
      conditions.push({ [isEmpty]: filter.type === "collection" })
    }
    if (filter.pinned !== undefined) conditions.push({ pinned: filter.pinned })
    if (filter.modifiedFrom !== undefined) conditions.push({ lastModifiedAt: { $gte: filter.modifiedFrom } })
    if (filter.modifiedTo !== undefined) conditions.push({ lastModifiedAt: { $lte: filter.modifiedTo } })
    if (filter.search !== undefined) {
      const pattern = `%${filter.search.replace(/[\\%_]/g, "\\$&")}%`
      conditions.push({ $or: [{ name: { $ilike: pattern } }, { derivedName: { $ilike: pattern } }] })
    }
    if (filter.sessionRecordingId !== undefined)
      conditions.push({ id: { $in: await playlistsHolding(projectId, filter.sessionRecordingId) } })
    return { $and: conditions }
  }

  async function playlistsHolding(projectId: ProjectId, sessionId: string): Promise<number[]> {
    const { rows } = await database.pool.query<{ playlist_id: number }>(
      `SELECT item.playlist_id FROM session_recording_playlist_item item
       JOIN session_recording_playlist playlist ON playlist.id = item.playlist_id
       WHERE playlist.project_id = $1 AND item.session_id = $2`,
      [projectId, sessionId],
    )
    return rows.map((row) => row.playlist_id)
  }
}

const toPlaylist = (entity: PlaylistEntity): Playlist => ({
  id: entity.id,
  projectId: entity.projectId,
  shortId: entity.shortId,
  name: entity.name ?? null,
  derivedName: entity.derivedName ?? null,
  description: entity.description,
  pinned: entity.pinned,
  deleted: entity.deleted,
  filters: entity.filters ?? null,
  createdAt: entity.createdAt,
  createdById: entity.createdById ?? null,
  lastModifiedAt: entity.lastModifiedAt,
  lastModifiedById: entity.lastModifiedById ?? null,
})

/** Ends with the id, so that pages never overlap (`decisions.md`, "Paging"). */
function orderBy(order: PlaylistOrder) {
  const direction = order.descending ? ("desc" as const) : ("asc" as const)
  return [{ [ORDER_PROPERTIES[order.field]]: direction }, { id: direction }]
}

async function countCollections(
  database: Database,
  playlistIds: readonly number[],
  viewer: UserId,
): Promise<Map<number, CollectionCount>> {
  const { rows } = await database.pool.query<{ playlist_id: number; count: number; watched_count: number }>(
    `SELECT item.playlist_id, count(*)::int AS count, count(view.session_id)::int AS watched_count
     FROM session_recording_playlist_item item
     JOIN session_recording_playlist playlist ON playlist.id = item.playlist_id
     LEFT JOIN session_recording_view view
       ON view.project_id = playlist.project_id AND view.session_id = item.session_id AND view.user_id = $2
     WHERE item.playlist_id = ANY($1)
     GROUP BY item.playlist_id`,
    [playlistIds, viewer],
  )
  return new Map(rows.map((row) => [row.playlist_id, { count: row.count, watchedCount: row.watched_count }]))
}
