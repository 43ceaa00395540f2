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
  @Field(() => String, { description: "Pass it as `since` to go on behind this change. Of this project alone." })
  cursor!: string
  @Field(() => Int, {
    description: "Changes that were left out before this one, at least: the reader was slow, or there were too many.",
  })
  missedBefore!: number
}
