import { Field, ID, InputType, ObjectType } from "type-graphql"
import type { Json } from "../../../kernel/json.js"
import { createConnectionType } from "../../../platform/graphql/connection.js"
import { type EnumValue, registerEnum } from "../../../platform/graphql/enum.js"
import { DateTimeScalar, JsonScalar } from "../../../platform/graphql/scalars.js"
import { FlagInput } from "../manage/flags.graphql.js"

const RecurrenceEnum = registerEnum("Recurrence", "How often something is done again, by the project's clock.", {
  DAILY: ["daily", "Each day at the same time."],
  WEEKLY: ["weekly", "Each week on the same day."],
  MONTHLY: ["monthly", "Each month on the same day; on the last one of a month that is too short."],
})
type RecurrenceEnum = EnumValue<typeof RecurrenceEnum>

@ObjectType("FeatureFlagScheduledChange", { description: "A change of a flag that is made by itself at its time." })
export class ScheduledChangeType {
  @Field(() => ID, { description: "Number of the plan, for removing it." })
  id!: number
  @Field(() => JsonScalar, { description: "What becomes of which field; of encrypted payloads only that they change." })
  changes!: Json
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When it is made next; null once nothing is left to do.",
  })
  dueAt!: Date | null
  @Field(() => RecurrenceEnum, { nullable: true, description: "How often it is made; null for once." })
  recurrence!: RecurrenceEnum | null
  @Field(() => DateTimeScalar, { nullable: true, description: "When it was last made; null when it never was." })
  lastMadeAt!: Date | null
  @Field(() => String, {
    nullable: true,
    description: "Why it could not be made when it was last due; null when it was, or has not been due.",
  })
  failure!: string | null
  @Field(() => DateTimeScalar, { description: "When it was planned." })
  createdAt!: Date
}

export const ScheduledChangeConnection = createConnectionType("FeatureFlagScheduledChange", () => ScheduledChangeType)

@InputType("FeatureFlagScheduledChangeInput", { description: "A change of a flag, and when to make it." })
export class ScheduledChangeInput {
  @Field(() => DateTimeScalar, { description: "When it is made first." })
  at!: Date
  @Field(() => RecurrenceEnum, { nullable: true, description: "How often it is made from then on; once when absent." })
  recurrence?: RecurrenceEnum | null
  @Field(() => FlagInput, {
    description: "The fields to set then; whether the flag is deleted cannot be planned, and `version` does not count.",
  })
  change!: FlagInput
}
