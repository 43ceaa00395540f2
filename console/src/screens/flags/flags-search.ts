import { type RawSearch, readText } from "../../ui/search"

/** The filters of the list, as its address has them. */
export interface FlagsSearch {
  /** Part of a key or of a description. */
  readonly search?: string
  /** The page begins after this cursor. */
  readonly after?: string
}

/** Reads the filters of the address; what is none is left out. */
export const readFlagsSearch = (search: RawSearch): FlagsSearch => ({
  search: readText(search.search),
  after: readText(search.after),
})

const TABS = ["rules", "test", "history"] as const
/** A part of the page of one flag. */
export type FlagTab = (typeof TABS)[number]

/** What the page of one flag shows, as its address has it. */
export interface FlagSearch {
  readonly tab?: FlagTab
  /** Distinct id of the person whom the flag is tried on. */
  readonly person?: string
  /** JSON object of properties that win over the stored ones. */
  readonly properties?: string
}

/** Reads the address of the page of one flag. */
export const readFlagSearch = (search: RawSearch): FlagSearch => ({
  tab: TABS.find((tab) => tab === search.tab),
  person: readText(search.person),
  // An object in the address is read as one before it comes here.
  properties: typeof search.properties === "object" ? JSON.stringify(search.properties) : readText(search.properties),
})
