import { type RawSearch, readText } from "../../ui/search"

/** The parts of a person's page, in the order of its tabs. */
export const PERSON_TABS = ["properties", "events", "recordings", "groups", "cohorts", "flags"] as const

/** Which part of a person's page is shown, as its address has it. */
export interface PersonSearch {
  readonly tab?: (typeof PERSON_TABS)[number] | undefined
  /** Only events before this time, which the last page of them ended with. */
  readonly before?: string | undefined
  /** Cursor after which the page of recordings begins. */
  readonly after?: string | undefined
}

/** Reads the part that is shown; what is none is left out. */
export const readPersonSearch = (search: RawSearch): PersonSearch => ({
  tab: PERSON_TABS.find((tab) => tab === search.tab),
  before: readText(search.before),
  after: readText(search.after),
})
