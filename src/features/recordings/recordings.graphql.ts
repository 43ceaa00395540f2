import { ArgsType, Field, Float, ID, InputType, Int, ObjectType } from "type-graphql"
import type { PersonId } from "../../kernel/ids.js"
import type { Json, JsonObject } from "../../kernel/json.js"
import { MAX_PAGE_SIZE, RECORDINGS_PAGE_SIZE } from "../../kernel/paging.js"
import { ConnectionArgs, createConnectionType } from "../../platform/graphql/connection.js"
import { type EnumValue, registerEnum } from "../../platform/graphql/enum.js"
import { DateTimeScalar, JsonScalar } from "../../platform/graphql/scalars.js"

@ObjectType("SessionRecordingPerson", { description: "Who was recorded." })
export class RecordedPersonType {
  @Field(() => Float, {
    nullable: true,
    description: "A whole number made from the uuid; null when no person is stored.",
  })
  id!: number | null
  @Field(() => String, { nullable: true, description: "What to call the person; null when no person is stored." })
  name!: string | null
  @Field(() => [String], { description: "In lists the session's own id; of a single recording at most ten." })
  distinctIds!: readonly string[]
  @Field(() => JsonScalar, { description: "Properties set by events, an object." })
  properties!: JsonObject
  @Field(() => DateTimeScalar, { nullable: true, description: "Time of the person's first event." })
  createdAt!: Date | null
  @Field(() => ID, { description: "UUID of the person, or the one it would get." })
  uuid!: PersonId
}

@ObjectType("SessionRecording", { description: "A recorded session with what happened in it." })
export class RecordingType {
  @Field(() => ID, { description: "Session id given by the SDK." })
  id!: string
  @Field(() => DateTimeScalar, { description: "Time of the first data." })
  startTime!: Date
  @Field(() => DateTimeScalar, { description: "Time of the last data." })
  endTime!: Date
  @Field(() => String, { nullable: true, description: "First address, at most 512 characters." })
  startUrl!: string | null
  @Field(() => String, { description: "Kind of place where the data lies; one for all." })
  storage!: string
  @Field(() => String, { description: "Distinct id of the first data." })
  distinctId!: string
  @Field(() => Int, { description: "Whole seconds from first to last data." })
  recordingDuration!: number
  @Field(() => Float, { description: "Seconds in which the user did something." })
  activeSeconds!: number
  @Field(() => Float, { description: "The rest of the duration." })
  inactiveSeconds!: number
  @Field(() => Int, { description: "Clicks, context menus, double clicks and ended touches." })
  clickCount!: number
  @Field(() => Int, { description: "Inputs." })
  keypressCount!: number
  @Field(() => Int, { description: "Moves and clicks of mouse or finger." })
  mouseActivityCount!: number
  @Field(() => Int, { description: "Lines of the console that are neither warnings nor errors." })
  consoleLogCount!: number
  @Field(() => Int, { description: "Warnings on the console." })
  consoleWarnCount!: number
  @Field(() => Int, { description: "Errors on the console." })
  consoleErrorCount!: number
  @Field(() => String, { description: "`web` or `mobile`." })
  snapshotSource!: string
  @Field(() => Boolean, { description: "Whether data arrived within the last five minutes." })
  ongoing!: boolean
  @Field(() => Float, { description: "How much happens in how much recording, in percent; may exceed 100." })
  activityScore!: number
}

export const RecordingConnection = createConnectionType("SessionRecording", () => RecordingType)

/** Recordings are heavier than other items, so a page has fewer. */
@ArgsType()
export class RecordingPageArgs extends ConnectionArgs {
  @Field(() => Int, {
    nullable: true,
    description:
      `Items from the beginning or after a cursor, 1 to ${MAX_PAGE_SIZE}; ` + `${RECORDINGS_PAGE_SIZE} when absent.`,
  })
  override first?: number | null
}

@ObjectType("SessionRecordingSnapshotSource", { description: "A stretch of a recording that can be fetched." })
export class SnapshotSourceType {
  @Field(() => String, { description: "Number of the stretch as text, from 0 in the order of time." })
  blobKey!: string
  @Field(() => DateTimeScalar, { description: "Time of its first item." })
  startTimestamp!: Date
  @Field(() => DateTimeScalar, { description: "Time of its last item." })
  endTimestamp!: Date
}

/** Numbers of a recording that a list can be ordered and cut by. */
const MEASURES = {
  DURATION: ["duration", "Seconds from the first to the last data."],
  ACTIVE_SECONDS: ["active_seconds", "Seconds with activity of the user."],
  INACTIVE_SECONDS: ["inactive_seconds", "The other seconds."],
  CLICK_COUNT: ["click_count", "Clicks."],
  KEYPRESS_COUNT: ["keypress_count", "Key presses."],
  MOUSE_ACTIVITY_COUNT: ["mouse_activity_count", "Moves and clicks of mouse or finger."],
  CONSOLE_LOG_COUNT: ["console_log_count", "Logs on the console."],
  CONSOLE_WARN_COUNT: ["console_warn_count", "Warnings on the console."],
  CONSOLE_ERROR_COUNT: ["console_error_count", "Errors on the console."],
  ACTIVITY_SCORE: ["activity_score", "How much happens in how much recording."],
} as const

export const RecordingOrderEnum = registerEnum("SessionRecordingOrder", "What recordings can be ordered by.", {
  START_TIME: ["start_time", "Time of the first data."],
  ...MEASURES,
})
export type RecordingOrderEnum = EnumValue<typeof RecordingOrderEnum>

const RecordingMeasureEnum = registerEnum(
  "SessionRecordingMeasure",
  "Numbers of a recording that a list can be cut by; durations in seconds.",
  MEASURES,
)
type RecordingMeasureEnum = EnumValue<typeof RecordingMeasureEnum>

const ComparisonEnum = registerEnum("Comparison", "How a number is compared with a value.", {
  EQ: ["eq", "Equal."],
  GT: ["gt", "Greater."],
  GTE: ["gte", "Greater or equal."],
  LT: ["lt", "Less."],
  LTE: ["lte", "Less or equal."],
})
type ComparisonEnum = EnumValue<typeof ComparisonEnum>

@InputType("SessionRecordingMeasureCondition", { description: "A condition on a number of a recording." })
class MeasureConditionInput {
  @Field(() => RecordingMeasureEnum, { description: "The number." })
  measure!: RecordingMeasureEnum
  @Field(() => ComparisonEnum, { description: "How it is compared." })
  comparison!: ComparisonEnum
  @Field(() => Float, { description: "What it is compared with." })
  value!: number
}

@InputType("SessionRecordingEventCondition", { description: "An event that a session must have." })
class EventConditionInput {
  @Field(() => String, { nullable: true, description: "Its name; any event when absent." })
  event?: string | null
  @Field(() => JsonScalar, {
    nullable: true,
    description: "Property filters as insights write them, of the same event.",
  })
  properties?: Json
}

@InputType("SessionRecordingFilter", { description: "Conditions of a list of recordings." })
export class RecordingFilterInput {
  @Field(() => DateTimeScalar, { nullable: true, description: "Started at or after this; three days ago when absent." })
  from?: Date
  @Field(() => DateTimeScalar, { nullable: true, description: "Started at or before this." })
  to?: Date
  @Field(() => [String], { nullable: true, description: "Only these, in this order, whenever they started." })
  sessionIds?: readonly string[]
  @Field(() => String, { nullable: true, description: "Only recordings of the person with this UUID." })
  personUuid?: string
  @Field(() => [String], { nullable: true, description: "Only recordings with data of one of these distinct ids." })
  distinctIds?: readonly string[]
  @Field(() => [String], { nullable: true, description: "Names of events that the session must have." })
  events?: readonly string[]
  @Field(() => [EventConditionInput], { nullable: true, description: "Events that the session must have." })
  eventConditions?: EventConditionInput[]
  @Field(() => JsonScalar, {
    nullable: true,
    description:
      "Property filters as insights write them, also in groups `{type: OR, values}`: of type event, person, group, cohort, session, recording, log_entry or hogql.",
  })
  properties?: Json
  @Field(() => Boolean, { nullable: true, description: "Leaves out the project's test accounts." })
  leaveOutTestAccounts?: boolean
  @Field(() => [String], { nullable: true, description: "Levels (info, warn, error) of which the console has a line." })
  consoleLevels?: readonly string[]
  @Field(() => String, { nullable: true, description: "Part of a line of the console, in any case." })
  consoleSearch?: string
  @Field(() => [MeasureConditionInput], { nullable: true, description: "Conditions on numbers of the recording." })
  having?: readonly MeasureConditionInput[]
  @Field(() => Boolean, {
    nullable: true,
    description: "Whether one of the conditions on events, properties, console and numbers is enough.",
  })
  matchAny?: boolean
}
