import type { EventsInput } from "../../graph/generated/graphql"
import { toPropertyFilters } from "../../ui/conditions"
import type { EventPlace, EventsSearch } from "./events-search"

/** An event as it is stored. */
export interface StoredEvent extends EventPlace {
  readonly event: string
  readonly distinctId: string
  readonly properties: unknown
}

/** How far back the list goes when nothing is said. */
export const DEFAULT_AFTER = "-7d"

/** The columns of the list, as HogQL. */
const EXPRESSIONS = ["uuid", "event", "distinct_id", "timestamp", "properties"]

/** Behind an event in the order of the list, by its place: no page repeats or leaves out what has the same time. */
const writeOlderThan = ({ timestamp, uuid }: EventPlace): string =>
  `(timestamp, uuid) < (parseDateTime64BestEffort('${timestamp}', 6), toUUID('${uuid}'))`

/** The query of events, newest first; of a page of them where there is a limit. */
export const toEventsInput = (search: EventsSearch, limit?: number): EventsInput => ({
  select: EXPRESSIONS,
  orderBy: ["timestamp DESC", "uuid DESC"],
  event: search.event,
  properties: toPropertyFilters(search.where),
  after: search.after ?? DEFAULT_AFTER,
  where: search.olderThan && [writeOlderThan(search.olderThan)],
  limit,
})

/** The events of the rows of `toEventsInput`; properties come as a text of JSON. */
export const toStoredEvents = (rows: readonly (readonly unknown[] | null)[]): StoredEvent[] =>
  rows.map((row) => {
    const [uuid, event, distinctId, timestamp, properties] = row ?? []
    return {
      uuid: String(uuid),
      event: String(event),
      distinctId: String(distinctId),
      timestamp: String(timestamp),
      properties: typeof properties === "string" ? JSON.parse(properties) : properties,
    }
  })
