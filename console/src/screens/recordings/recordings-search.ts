import type { SessionRecordingFilter, SessionRecordingMeasureCondition } from "../../graph/generated/graphql"
import { type RawSearch, readText } from "../../ui/search"
import type { ListFilters } from "../playlists/saved-filters"

const DAY_MS = 86_400_000

/** The filters of the page, as its address has them. */
export interface RecordingsSearch extends ListFilters {
  /** Short id of the playlist whose saved filters were opened. */
  readonly playlist?: string
  /** Cursor of the recording after which the page begins. */
  readonly after?: string
}

/** Reads the filters of the address; what is none is left out. */
export const readRecordingsSearch = (search: RawSearch): RecordingsSearch => ({
  days: readPositive(search.days),
  longer: readPositive(search.longer),
  event: readText(search.event),
  person: readText(search.person),
  errors: search.errors === true ? true : undefined,
  playlist: readText(search.playlist),
  after: readText(search.after),
})

const readPositive = (value: unknown): number | undefined =>
  typeof value === "number" && value > 0 && value <= 1_000_000 ? value : undefined

/** The filter of the graph for an address. Days begin at midnight of UTC, so that the filters of a day are the same. */
export function toFilter({ days = 3, longer, event, person, errors }: RecordingsSearch): SessionRecordingFilter {
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const having: SessionRecordingMeasureCondition[] = []
  if (longer !== undefined) having.push({ measure: "DURATION", comparison: "GTE", value: longer })
  if (errors) having.push({ measure: "CONSOLE_ERROR_COUNT", comparison: "GT", value: 0 })
  return {
    from: new Date(midnight - days * DAY_MS).toISOString(),
    having,
    ...(event !== undefined && { events: [event] }),
    ...(person !== undefined && { distinctIds: [person] }),
  }
}
