import { defineEntity, p } from "@mikro-orm/core"
import type { Json } from "../../kernel/json.js"
import { UserEntity } from "../access/index.js"
import { ProjectEntity } from "../projects/index.js"
import { hasNoFilters } from "./playlist-kind.js"

const PlaylistSchema = defineEntity({
  name: "Playlist",
  tableName: "session_recording_playlist",
  properties: {
    id: p.integer().primary().autoincrement(),
    projectId: () => p.manyToOne(ProjectEntity).mapToPk().fieldName("project_id"),
    shortId: p.string(),
    name: p.string().strictNullable(),
    derivedName: p.string().strictNullable(),
    description: p.text(),
    pinned: p.boolean(),
    deleted: p.boolean(),
    filters: p.json<Json>().strictNullable(),
    /** For conditions only. */
    isCollection: p
      .boolean()
      .formula((columns) => hasNoFilters(`${columns.filters}`))
      .lazy(),
    createdAt: p.datetime(),
    createdById: () => p.manyToOne(UserEntity).mapToPk().fieldName("created_by_id").strictNullable(),
    lastModifiedAt: p.datetime(),
    lastModifiedById: () => p.manyToOne(UserEntity).mapToPk().fieldName("last_modified_by_id").strictNullable(),
    items: () => p.oneToMany(PlaylistItemEntity).mappedBy("playlist"),
  },
})
/** A row of `session_recording_playlist`. */
export class PlaylistEntity extends PlaylistSchema.class {}
PlaylistSchema.setClass(PlaylistEntity)

const PlaylistItemSchema = defineEntity({
  name: "PlaylistItem",
  tableName: "session_recording_playlist_item",
  properties: {
    playlist: () => p.manyToOne(PlaylistEntity).primary(),
    sessionId: p.string().primary(),
    attachedAt: p.datetime(),
  },
})
/** A row of `session_recording_playlist_item`: a session that is attached to a playlist. */
export class PlaylistItemEntity extends PlaylistItemSchema.class {}
PlaylistItemSchema.setClass(PlaylistItemEntity)

/** What `openDatabase` must know of this feature. */
export const playlistEntities = [PlaylistEntity, PlaylistItemEntity]
