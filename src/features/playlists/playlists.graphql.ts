import { Field, ID, InputType, Int, ObjectType } from "type-graphql"
import type { Json } from "../../kernel/json.js"
import { createConnectionType } from "../../platform/graphql/connection.js"
import { type EnumValue, registerEnum } from "../../platform/graphql/enum.js"
import { DateTimeScalar, JsonScalar } from "../../platform/graphql/scalars.js"

export const PlaylistKindEnum = registerEnum("SessionRecordingPlaylistType", "What a playlist holds.", {
  COLLECTION: ["collection", "Recordings that were attached."],
  FILTERS: ["filters", "Recordings that its saved filters find."],
})
export type PlaylistKindEnum = EnumValue<typeof PlaylistKindEnum>

export const PlaylistOrderEnum = registerEnum(
  "SessionRecordingPlaylistOrder",
  "Fields by which playlists can be ordered.",
  {
    ID: ["id", "Number."],
    SHORT_ID: ["short_id", "Short id."],
    DESCRIPTION: ["description", "Free text."],
    CREATED_BY: ["created_by", "Number of the user who created it."],
    LAST_MODIFIED_BY: ["last_modified_by", "Number of the user who last changed name, description or filters."],
    LAST_MODIFIED_AT: ["last_modified_at", "Time of the last change of name, description or filters."],
    CREATED_AT: ["created_at", "Time of creation."],
    NAME: ["name", "Name given by a person."],
    DERIVED_NAME: ["derived_name", "Name that a client derived."],
    PINNED: ["pinned", "Whether it is pinned."],
  },
)
export type PlaylistOrderEnum = EnumValue<typeof PlaylistOrderEnum>

@ObjectType("SessionRecordingPlaylist", { description: "A named list of session recordings." })
export class PlaylistType {
  @Field(() => Int, { description: "Number of the playlist." })
  id!: number
  @Field(() => ID, { description: "Eight characters that name the playlist in paths." })
  shortId!: string
  @Field(() => String, { nullable: true, description: "Name given by a person, at most 400 characters." })
  name!: string | null
  @Field(() => String, { nullable: true, description: "Name that a client derived from the filters." })
  derivedName!: string | null
  @Field(() => String, { description: "Free text." })
  description!: string
  @Field(() => Boolean, { description: "Whether the playlist is pinned to the top." })
  pinned!: boolean
  @Field(() => Boolean, { description: "Soft-delete flag; deleted playlists leave every list." })
  deleted!: boolean
  @Field(() => JsonScalar, { nullable: true, description: "Saved filters, any JSON value." })
  filters!: Json
  @Field(() => DateTimeScalar, { description: "When it was created." })
  createdAt!: Date
  @Field(() => DateTimeScalar, { description: "When its name, description or filters last changed." })
  lastModifiedAt!: Date
}

export const PlaylistConnection = createConnectionType("SessionRecordingPlaylist", () => PlaylistType)

@InputType("SessionRecordingPlaylistInput", {
  description: "Writable fields of a playlist; an absent field stays as it is.",
})
export class PlaylistInput {
  @Field(() => String, { nullable: true, description: "At most 400 characters." })
  name?: string | null
  @Field(() => String, { nullable: true, description: "At most 400 characters." })
  derivedName?: string | null
  @Field(() => String, { nullable: true, description: "Free text." })
  description?: string
  @Field(() => Boolean, { nullable: true, description: "Pin to the top." })
  pinned?: boolean
  @Field(() => Boolean, { nullable: true, description: "true deletes softly, false restores." })
  deleted?: boolean
  @Field(() => JsonScalar, { nullable: true, description: "Any JSON value." })
  filters?: Json
  @Field(() => PlaylistKindEnum, {
    nullable: true,
    description:
      "When making a playlist: what it has to be, which its filters must fit. Not needed, and nothing to change later.",
  })
  type?: PlaylistKindEnum | null
}

@InputType("SessionRecordingPlaylistFilter", {
  description: "Conditions of a playlist list; all given ones must hold.",
})
export class PlaylistFilterInput {
  @Field(() => Int, { nullable: true, description: "Id of the user who created it." })
  createdBy?: number
  @Field(() => Boolean, { nullable: true, description: "Only the caller's own." })
  mine?: boolean
  @Field(() => String, { nullable: true, description: "Exact short id." })
  shortId?: string
  @Field(() => PlaylistKindEnum, { nullable: true, description: "Only those that hold this." })
  type?: PlaylistKindEnum
  @Field(() => Boolean, { nullable: true, description: "Only pinned (true) or only unpinned (false) ones." })
  pinned?: boolean
  @Field(() => String, { nullable: true, description: "Part of name or derived name, any case." })
  search?: string
  @Field(() => DateTimeScalar, { nullable: true, description: "Changed at or after this time." })
  modifiedFrom?: Date
  @Field(() => DateTimeScalar, { nullable: true, description: "Changed at or before this time." })
  modifiedTo?: Date
  @Field(() => String, { nullable: true, description: "Only playlists that hold this recording." })
  sessionRecordingId?: string
}
