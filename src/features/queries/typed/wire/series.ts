import { AppError } from "../../../../kernel/errors.js"
import type { JsonObject } from "../../../../kernel/json.js"
import type { EventMatchInput, FunnelStepInput, SeriesInput } from "../inputs/series.graphql.js"
import { toObject, toProperties } from "./filters.js"

/** A step of a funnel as an item of `series`. @throws AppError invalid_input for an event and an action together. */
export const toStep = (step: FunnelStepInput): JsonObject => ({
  ...toNamed(step),
  ...toObject({ math: step.onlyFirst, optionalInFunnel: step.isOptional }),
})

function toNamed({ event, action, name, properties }: EventMatchInput & Pick<SeriesInput, "name">): JsonObject {
  refuseBoth({ event, action })
  return {
    ...(action == null ? { kind: "EventsNode", event: event ?? null } : { kind: "ActionsNode", id: action }),
    ...toObject({ custom_name: name, properties: toProperties(properties) }),
  }
}

/** A series as a wire's item of `series`. @throws AppError invalid_input as `toStep`. */
export const toSeries = (series: SeriesInput): JsonObject => ({
  ...toNamed(series),
  ...toObject({
    math: series.math,
    math_property: series.mathProperty,
    math_property_type: series.mathPropertyOwner,
    math_multiplier: series.mathMultiplier,
    math_hogql: series.mathHogQL,
    math_group_type_index: series.mathGroupTypeIndex,
  }),
})

/** What a retention counts as coming. @throws AppError invalid_input as `toStep`. */
export function toEntity(match: EventMatchInput | null | undefined): JsonObject | undefined {
  if (match == null) return undefined
  const { event, action, properties } = match
  refuseBoth(match)
  return {
    ...(action == null ? { type: "events", id: event ?? null } : { type: "actions", id: action }),
    ...toObject({ properties: toProperties(properties) }),
  }
}

function refuseBoth({ event, action }: EventMatchInput): void {
  if (event != null && action != null)
    throw new AppError("invalid_input", { attr: "event", detail: "Give either event or action, not both." })
}
