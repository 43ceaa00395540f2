import { Field, InputType, Int, ObjectType } from "type-graphql"
import type { Json } from "../../kernel/json.js"
import { JsonScalar } from "../../platform/graphql/scalars.js"
import type { DropReason, WarningReason } from "./reasons.types.js"

@InputType("CapturedEventInput", { description: "One event, with the same meaning as on the REST capture paths." })
export class CapturedEventInput {
  @Field(() => String, { description: "Event name; at most 200 characters are kept." })
  event!: string
  @Field(() => String, { nullable: true, description: "User identifier. May be in properties instead." })
  distinctId?: string | null
  @Field(() => JsonScalar, {
    nullable: true,
    description: "Free-form object; keys that begin with $ are service-defined.",
  })
  properties?: Json
  @Field(() => String, { nullable: true, description: "ISO 8601. Without a zone it is UTC; absent means now." })
  timestamp?: string | null
  @Field(() => String, { nullable: true, description: "Recognises a retried event: the same uuid is stored once." })
  uuid?: string | null
}

@InputType("CaptureInput", { description: "One event and the project key that it is sent with." })
export class CaptureInput extends CapturedEventInput {
  @Field(() => String, { description: "Project API key (`phc_…`)." })
  apiKey!: string
}

@InputType("CaptureBatchInput", { description: "Events of one project." })
export class CaptureBatchInput {
  @Field(() => String, { description: "Project API key (`phc_…`)." })
  apiKey!: string
  @Field(() => [CapturedEventInput], { description: "The events, in order." })
  batch!: CapturedEventInput[]
  @Field(() => Boolean, {
    defaultValue: false,
    description: "Past data: each event should have an ISO 8601 timestamp.",
  })
  historicalMigration!: boolean
  @Field(() => String, {
    nullable: true,
    description: "The client's time of sending, by which a wrong clock is corrected.",
  })
  sentAt?: string | null
}

@ObjectType("CaptureNote", { description: "What happened to one event of a request." })
class CaptureNoteType {
  @Field(() => Int, { description: "Position of the event in the request, from 0." })
  index!: number
  @Field(() => String, { description: "Stable word for the rule, such as `missing_distinct_id`." })
  reason!: DropReason | WarningReason
}

@ObjectType("CaptureResult", { description: "The outcome of a capture; accepted events are on disk." })
export class CaptureResultType {
  @Field(() => Int, { description: "Events that were accepted." })
  accepted!: number
  @Field(() => [CaptureNoteType], { description: "Events that are not ingested." })
  dropped!: readonly CaptureNoteType[]
  @Field(() => [CaptureNoteType], { description: "Events that are ingested, but not as they were sent." })
  warnings!: readonly CaptureNoteType[]
}
