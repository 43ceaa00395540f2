import { type RawSearch, readText } from "../../ui/search"

/** The parts of the page of one flag, in their order. */
export const FLAG_TABS = ["rules", "test", "usage", "code", "schedule", "early", "history"] as const
type FlagTab = (typeof FLAG_TABS)[number]

/** What the page of one flag shows, as its address has it. */
export interface FlagSearch {
  readonly tab?: FlagTab
  /** Distinct id of the person whom the flag is tried on. */
  readonly person?: string
  /** JSON object of properties that win over the stored ones. */
  readonly properties?: string
  /** Moment as of which it is tried, in ISO 8601; now when absent. */
  readonly at?: string | undefined
  /** Since when calls are counted: a day, or a distance such as `-30d`. */
  readonly from?: string | undefined
  /** Until which day. */
  readonly to?: string | undefined
}

/** Reads the address of the page of one flag. */
export const readFlagSearch = (search: RawSearch): FlagSearch => ({
  tab: FLAG_TABS.find((tab) => tab === search.tab),
  person: readText(search.person),
  at: readText(search.at),
  from: readText(search.from),
  to: readText(search.to),
  // An object in the address is read as one before it comes here.
  properties: typeof search.properties === "object" ? JSON.stringify(search.properties) : readText(search.properties),
})
