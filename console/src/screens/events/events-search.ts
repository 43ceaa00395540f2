import { type RawSearch, readText } from "../../ui/search"

/** The filters of the page, as its address has them. */
export interface EventsSearch {
  /** Only events of this name. */
  readonly event?: string
  /** Only events before this time, which a page ended with. */
  readonly before?: string
}

/** Reads the filters of the address; what is none is left out. */
export const readEventsSearch = (search: RawSearch): EventsSearch => ({
  event: readText(search.event),
  before: readText(search.before),
})
