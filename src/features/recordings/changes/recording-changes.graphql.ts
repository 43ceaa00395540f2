import { Field, ID, Int, ObjectType } from "type-graphql"
import type { ProjectId } from "../../../kernel/ids.js"
import { type EnumValue, registerEnum } from "../../../platform/graphql/enum.js"

const RecordingChangeKindEnum = registerEnum("SessionRecordingChangeKind", "What happened to a recording.", {
  STARTED: ["started", "Data arrived of a session that was not ongoing; also when it goes on after it had ended."],
  ENDED: ["ended", "No data arrived of it for five minutes."],
})
type RecordingChangeKindEnum = EnumValue<typeof RecordingChangeKindEnum>

@ObjectType("SessionRecordingChange", { description: "A recording started or ended." })
export class RecordingChangeType {
  readonly projectId!: ProjectId
  /** Milliseconds since the epoch: when its first data was accepted, or when it had been idle for long enough. */
  readonly atMs!: number
  @Field(() => ID, { description: "Session id given by the SDK." })
  sessionId!: string
  @Field(() => RecordingChangeKindEnum, { description: "What happened." })
  kind!: RecordingChangeKindEnum
  @Field(() => Int, { description: "Changes that were left out since the one before, because the reader was slow." })
  missedBefore!: number
}
