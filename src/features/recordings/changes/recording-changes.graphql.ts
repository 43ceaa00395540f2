import { Field, ID, Int, ObjectType, registerEnumType } from "type-graphql"

export enum RecordingChangeKindEnum {
  STARTED = "started",
  ENDED = "ended",
}
registerEnumType(RecordingChangeKindEnum, {
  name: "SessionRecordingChangeKind",
  description: "What happened to a recording.",
  valuesConfig: {
    STARTED: {
      description: "Data arrived of a session that was not ongoing; also when it goes on after it had ended.",
    },
    ENDED: { description: "No data arrived of it for five minutes." },
  },
})

@ObjectType("SessionRecordingChange", { description: "A recording started or ended." })
export class RecordingChangeType {
  @Field(() => ID, { description: "Session id given by the SDK." })
  sessionId!: string
  @Field(() => RecordingChangeKindEnum, { description: "What happened." })
  kind!: RecordingChangeKindEnum
  @Field(() => Int, { description: "Changes that were left out since the one before, because the reader was slow." })
  missedBefore!: number
}
