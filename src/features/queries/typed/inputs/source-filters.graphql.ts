import { Field, InputType } from "type-graphql"
import type { Json } from "../../../../kernel/json.js"
import { type EnumValue, registerEnum } from "../../../../platform/graphql/enum.js"
import { JsonScalar } from "../../../../platform/graphql/scalars.js"
import { PropertyOperatorEnum } from "./enums.graphql.js"

@InputType("FlagConditionInput", { description: "What a flag was for an event: give either `isOn` or `variant`." })
export class FlagConditionInput {
  @Field(() => String, { description: "Key of the flag." })
  key!: string
  @Field(() => Boolean, { nullable: true, description: "On, whatever the variant, or off." })
  isOn?: boolean | null
  @Field(() => String, { nullable: true, description: "This variant." })
  variant?: string | null
}

export const RecordingMeasureEnum = registerEnum("RecordingMeasure", "What a recording is compared by.", {
  DURATION: ["duration", "Seconds from its first to its last data."],
  ACTIVE_SECONDS: ["active_seconds", "Seconds in which the user did something."],
  CLICK_COUNT: ["click_count", "Clicks."],
  KEYPRESS_COUNT: ["keypress_count", "Inputs."],
  MOUSE_ACTIVITY_COUNT: ["mouse_activity_count", "Moves and clicks."],
  CONSOLE_LOG_COUNT: ["console_log_count", "Lines of the console."],
  CONSOLE_WARN_COUNT: ["console_warn_count", "Warnings on the console."],
  CONSOLE_ERROR_COUNT: ["console_error_count", "Errors on the console."],
  FIRST_URL: ["first_url", "First address."],
  SNAPSHOT_SOURCE: ["snapshot_source", "`web` or `mobile`."],
})
export type RecordingMeasureEnum = EnumValue<typeof RecordingMeasureEnum>

@InputType("RecordingConditionInput", { description: "What the recording of an event's session must be like." })
export class RecordingConditionInput {
  @Field(() => RecordingMeasureEnum, { description: "What is compared." })
  key!: RecordingMeasureEnum
  @Field(() => PropertyOperatorEnum, { defaultValue: PropertyOperatorEnum.EXACT, description: "How." })
  operator!: PropertyOperatorEnum
  @Field(() => JsonScalar, { nullable: true, description: "With what: a number or text, or a list of them." })
  value?: Json
}
