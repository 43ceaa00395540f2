import { type RawSearch, readText } from "../../ui/search"

/** What the list is about, as the address of the page has it. */
export interface CohortsSearch {
  /** Part of a name. */
  readonly search?: string | undefined
  /** Cursor after which the page of the list begins. */
  readonly after?: string | undefined
}

/** Reads the search and the place in the list; what is none is left out. */
export const readCohortsSearch = (search: RawSearch): CohortsSearch => ({
  search: readText(search.search),
  after: readText(search.after),
})

/** Where the page of the members of a cohort begins. */
export interface CohortSearch {
  /** Cursor after which it begins. */
  readonly after?: string | undefined
}

/** Reads the place in the list of members; what is none is left out. */
export const readCohortSearch = (search: RawSearch): CohortSearch => ({ after: readText(search.after) })
