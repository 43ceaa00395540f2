import { type Condition, readConditions } from "../../ui/conditions"
import { type RawSearch, readText, readTexts } from "../../ui/search"

/** The filters of the page, as its address has them. */
export interface EventsSearch {
  /** Only events of this name. */
  readonly event?: string
  /** What must hold for their properties. */
  readonly where?: readonly Condition[]
  /** How far back, such as `-7d`; a week when absent. */
  readonly after?: string
  /** Properties that have a column. */
  readonly columns?: readonly string[]
  /** Only events older than this one: the last of the page before. */
  readonly olderThan?: EventPlace
}

/** Where an event stands among all: events may have the same time. */
export interface EventPlace {
  readonly timestamp: string
  readonly uuid: string
}

/** Neither has a character that could end a text of HogQL. */
const TIMESTAMP = /^[\dTZ:.+-]+$/
const UUID = /^[\da-f-]{36}$/

function readPlace(value: unknown): EventPlace | undefined {
  const { timestamp, uuid }: Partial<Record<keyof EventPlace, unknown>> = value ?? {}
  const isPlace =
    typeof timestamp === "string" && TIMESTAMP.test(timestamp) && typeof uuid === "string" && UUID.test(uuid)
  return isPlace ? { timestamp, uuid } : undefined
}

/** Reads the filters of the address; what is none is left out. */
export const readEventsSearch = ({ event, where, after, columns, olderThan }: RawSearch): EventsSearch => ({
  event: readText(event),
  where: readConditions(where),
  after: readText(after),
  columns: readTexts(columns),
  olderThan: readPlace(olderThan),
})
