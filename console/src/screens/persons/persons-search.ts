import { type RawSearch, readText } from "../../ui/search"

/** What the list is about, as the address of the page has it. */
export interface PersonsSearch {
  /** Part of a name, an e-mail address or a distinct id. */
  readonly search?: string | undefined
  /** Cursor after which the page of the list begins. */
  readonly after?: string | undefined
}

/** Reads the search and the place in the list; what is none is left out. */
export const readPersonsSearch = (search: RawSearch): PersonsSearch => ({
  search: readText(search.search),
  after: readText(search.after),
})

/** The parts of a person's page, in the order of its tabs. */
export const PERSON_TABS = ["properties", "events", "recordings", "cohorts", "flags"] as const

/** Which part of a person's page is shown, as its address has it. */
export interface PersonSearch {
  readonly tab?: (typeof PERSON_TABS)[number] | undefined
  /** Only events before this time, which the last page of them ended with. */
  readonly before?: string | undefined
}

/** Reads the part that is shown; what is none is left out. */
export const readPersonSearch = (search: RawSearch): PersonSearch => ({
  tab: PERSON_TABS.find((tab) => tab === search.tab),
  before: readText(search.before),
})
