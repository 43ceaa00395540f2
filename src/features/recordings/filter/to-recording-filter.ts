import type { Json } from "../../../kernel/json.js"
import { withoutNulls } from "../../../kernel/without-nulls.js"
import type { RecordingFilter } from "../recordings.types.js"

/** A filter as GraphQL has it. */
export interface RawRecordingFilter extends Omit<RecordingFilter, "properties" | "eventConditions"> {
  readonly properties?: Json
  readonly eventConditions?: readonly { readonly event?: string | null; readonly properties?: Json }[]
}

/** A condition that is not a list is a list of one. */
export function toRecordingFilter(raw: RawRecordingFilter): RecordingFilter {
  const { properties, eventConditions, ...rest } = withoutNulls(raw)
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
