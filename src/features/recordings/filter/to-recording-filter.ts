import type { Json } from "../../../kernel/json.js"
import type { RecordingFilter } from "../recordings.types.js"

/** A filter as GraphQL has it. */
export interface RawRecordingFilter extends Omit<RecordingFilter, "properties" | "eventConditions"> {
  readonly properties?: Json
  readonly eventConditions?: readonly { readonly event?: string | null; readonly properties?: Json }[]
}

/** A field that is null in GraphQL says the same as one that is absent, and a condition that is not a list is a list of one. */
export function toRecordingFilter(raw: RawRecordingFilter): RecordingFilter {
  const given: RawRecordingFilter = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null))
  const { properties, eventConditions, ...rest } = given
  return {
    ...rest,
    ...(properties !== undefined && { properties: [{ field: "properties", filters: properties }] }),
    ...(eventConditions !== undefined && {
      eventConditions: eventConditions.map(({ event = null, properties: filters = null }) => ({
        event,
        properties: filters === null ? [] : Array.isArray(filters) ? filters : [filters],
      })),
    }),
  }
}
