import * as z from "zod/mini"

// The page's policy of contents forbids the code that zod would make for speed.
z.config({ jitless: true })

/** What narrows a list of recordings in the console. */
export interface ListFilters {
  /** How many days back they may have begun; three when absent. */
  readonly days?: number
  /** The least duration, in seconds. */
  readonly longer?: number
  /** Only sessions with an event of this name. */
  readonly event?: string
  /** Only those of this distinct id. */
  readonly person?: string
  /** Only those with errors on the console. */
  readonly errors?: true
}

/** The filters of a list, as playlists keep them: in the words of docs/contract/recordings.md#recordings-query. */
export const toSavedFilters = ({ days = 3, longer, event, person, errors }: ListFilters): object => ({
  date_from: `-${days}d`,
  events: event === undefined ? [] : [{ type: "events", id: event, name: event }],
  distinct_ids: person === undefined ? null : [person],
  having_predicates: [
    ...(longer === undefined ? [] : [{ type: "recording", key: "duration", operator: "gte", value: longer }]),
    ...(errors ? [{ type: "recording", key: "console_error_count", operator: "gt", value: 0 }] : []),
  ],
})

const MEASURES = z.union([
  z.strictObject({
    type: z.literal("recording"),
    key: z.literal("duration"),
    operator: z.literal("gte"),
    value: z.number(),
  }),
  z.strictObject({
    type: z.literal("recording"),
    key: z.literal("console_error_count"),
    operator: z.literal("gt"),
    value: z.literal(0),
  }),
])
const SAVED = z.strictObject({
  date_from: z.string().check(z.regex(/^-\d+d$/)),
  events: z
    .array(z.strictObject({ type: z.literal("events"), id: z.string(), name: z.string() }))
    .check(z.maxLength(1)),
  distinct_ids: z.nullable(z.array(z.string()).check(z.length(1))),
  having_predicates: z.array(MEASURES),
})

/** Filters that a list has made; null for those that others made. */
export function readSavedFilters(raw: unknown): ListFilters | null {
  const { data } = z.safeParse(SAVED, raw)
  if (data === undefined) return null
  const longer = data.having_predicates.find(({ key }) => key === "duration")?.value
  const [event] = data.events
  const [person] = data.distinct_ids ?? []
  return {
    days: -Number.parseInt(data.date_from, 10),
    ...(longer !== undefined && { longer }),
    ...(event !== undefined && { event: event.id }),
    ...(person !== undefined && { person }),
    ...(data.having_predicates.some(({ key }) => key === "console_error_count") && { errors: true }),
  }
}
