import { defineEntity, p } from "@mikro-orm/core"
import type { Json } from "../../kernel/json.js"

const PlaylistSchema = defineEntity({
  name: "Playlist",
  tableName: "session_recording_playlist",
  properties: {
    id: p.integer().primary().autoincrement(),
    projectId: p.integer(),
    shortId: p.string(),
    name: p.string().nullable(),
    derivedName: p.string().nullable(),
    description: p.text(),
    pinned: p.boolean(),
    deleted: p.boolean(),
    filters: p.json<Json>().nullable(),
    createdAt: p.datetime(),
    createdById: p.integer().nullable(),
    lastModifiedAt: p.datetime(),
    lastModifiedById: p.integer().nullable(),
  },
})

/** A row of `session_recording_playlist`. */
export class PlaylistEntity extends PlaylistSchema.class {}
PlaylistSchema.setClass(PlaylistEntity)
