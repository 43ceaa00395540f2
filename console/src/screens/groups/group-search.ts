import { type RawSearch, readText } from "../../ui/search"

/** The parts of a group's page, in the order of its tabs. */
export const GROUP_TABS = ["properties", "events", "persons", "flags"] as const

/** Which part of a group's page is shown, as its address has it. */
export interface GroupSearch {
  readonly tab?: (typeof GROUP_TABS)[number] | undefined
  /** Only events before this time, which the last page of them ended with. */
  readonly before?: string | undefined
}

/** Reads the part that is shown; what is none is left out. */
export const readGroupSearch = (search: RawSearch): GroupSearch => ({
  tab: GROUP_TABS.find((tab) => tab === search.tab),
  before: readText(search.before),
})
