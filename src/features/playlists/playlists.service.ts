import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import { toStorableJson, toStorableText } from "../../kernel/json.js"
import type { ListPage, PageRequest } from "../../kernel/paging.js"
import { requireLength } from "../../kernel/text-length.js"
import type { Activity, ActivityReader } from "../access/index.js"
import type { PlaylistRepository } from "./playlist.repository.js"
import { checkKind } from "./playlist-kind.js"
import {
  PLAYLIST_SCOPE,
  type Playlist,
  type PlaylistChanges,
  type PlaylistFilter,
  type PlaylistOrder,
} from "./playlists.types.js"

const MAX_NAME_LENGTH = 400
const NEWEST_CHANGE_FIRST: PlaylistOrder = { field: "last_modified_at", descending: true }

/** Only a change of one of these counts as a modification (`docs/contract/recordings.md#changes-of-a-playlist`). */
const CONTENT_FIELDS = ["name", "description", "filters"] as const
/** GraphQL lets null stand wherever a field may be left out. */
const NEVER_NULL: readonly (keyof PlaylistChanges)[] = ["description", "pinned", "deleted"]

export type PlaylistsService = ReturnType<typeof createPlaylistsService>

/** Use cases of playlists. @param newShortId gives eight random characters. */
export function createPlaylistsService(
  repository: PlaylistRepository,
  auditLog: ActivityReader,
  clock: Clock,
  newShortId: () => string,
) {
  async function requirePlaylist(projectId: ProjectId, shortId: string): Promise<Playlist> {
    const playlist = await repository.find(projectId, shortId)
    if (playlist === null) throw new AppError("not_found")
    return playlist
  }

  return {
    /** Playlists that are not deleted, newest change first unless ordered otherwise. */
    list(
      projectId: ProjectId,
      filter: PlaylistFilter,
      page: PageRequest,
      order: PlaylistOrder = NEWEST_CHANGE_FIRST,
    ): Promise<ListPage<Playlist>> {
      return repository.list(projectId, filter, order, page)
    },

    /** Those of these short ids that are not deleted. */
    findMany: repository.findMany,

    /** The same by their numbers. */
    findNumbered: repository.findNumbered,

    /** @throws AppError not_found when unknown, of another project, or deleted. */
    async get(projectId: ProjectId, shortId: string): Promise<Playlist> {
      const playlist = await requirePlaylist(projectId, shortId)
      if (playlist.deleted) throw new AppError("not_found")
      return playlist
    },

    /** @throws AppError max_length or null naming the field; invalid_input for a type that the filters do not fit. */
    async create(projectId: ProjectId, author: UserId, input: PlaylistChanges): Promise<Playlist> {
      const changes = checkChanges(input)
      if (input.type != null) checkKind(input.type, changes.filters ?? {})
      const now = new Date(clock.now())
      const playlist = {
        projectId,
        shortId: newShortId(),
        name: changes.name ?? null,
        derivedName: changes.derivedName ?? null,
        description: changes.description ?? "",
        pinned: changes.pinned ?? false,
        deleted: changes.deleted ?? false,
        filters: changes.filters === undefined ? {} : changes.filters,
        createdAt: now,
        createdById: author,
        lastModifiedAt: now,
        lastModifiedById: author,
      }
      return repository.insert(playlist, author)
    },

    /** Deleted playlists can be changed too: `deleted: false` restores one. @throws AppError not_found, max_length, null. */
    async update(projectId: ProjectId, author: UserId, shortId: string, input: PlaylistChanges): Promise<Playlist> {
      const changes = checkChanges(input)
      const playlist = await requirePlaylist(projectId, shortId)
      const now = new Date(clock.now())
      const isModification = CONTENT_FIELDS.some((field) => changes[field] !== undefined)
      const modification = isModification ? { lastModifiedAt: now, lastModifiedById: author } : {}
      return repository.update(projectId, playlist.id, { ...changes, ...modification }, author, now)
    },

    /** Who made and changed a playlist, also a deleted one, newest first. @throws AppError not_found. */
    async activity(projectId: ProjectId, shortId: string, page: PageRequest): Promise<ListPage<Activity>> {
      const { id } = await requirePlaylist(projectId, shortId)
      return auditLog.listByProject(projectId, { scope: PLAYLIST_SCOPE, itemId: String(id) }, page)
    },
  }
}

function checkChanges(changes: PlaylistChanges): PlaylistChanges {
  for (const field of NEVER_NULL) if (changes[field] === null) throw new AppError("null", { attr: field })
  requireLength("name", changes.name ?? "", MAX_NAME_LENGTH)
  requireLength("derived_name", changes.derivedName ?? "", MAX_NAME_LENGTH)
  return {
    ...(changes.name !== undefined && { name: storable(changes.name) }),
    ...(changes.derivedName !== undefined && { derivedName: storable(changes.derivedName) }),
    ...(changes.description !== undefined && { description: toStorableText(changes.description) }),
    ...(changes.pinned !== undefined && { pinned: changes.pinned }),
    ...(changes.deleted !== undefined && { deleted: changes.deleted }),
    ...(changes.filters !== undefined && { filters: toStorableJson(changes.filters) }),
  }
}

const storable = (text: string | null): string | null => (text === null ? null : toStorableText(text))
