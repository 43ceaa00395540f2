import { Field, ID, ObjectType } from "type-graphql"
import type { UserId } from "../../kernel/ids.js"
import type { Json } from "../../kernel/json.js"
import { createConnectionType } from "../../platform/graphql/connection.js"
import { DateTimeScalar, JsonScalar } from "../../platform/graphql/scalars.js"

@ObjectType("SessionRecordingPlaylistActivity", { description: "Somebody made or changed a playlist." })
export class PlaylistActivityType {
  @Field(() => ID, { description: "UUID of the entry." })
  id!: string
  @Field(() => String, { description: "What was done: created or updated." })
  activity!: string
  @Field(() => JsonScalar, { description: "A list of `{field, action, before, after}`." })
  changes!: Json
  @Field(() => DateTimeScalar, { description: "When." })
  createdAt!: Date
  readonly userId!: UserId | null
}

export const PlaylistActivityConnection = createConnectionType(
  "SessionRecordingPlaylistActivity",
  () => PlaylistActivityType,
)
