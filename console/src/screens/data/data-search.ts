import { type ListSearch, readListSearch } from "../../ui/list-search"
import { type RawSearch, readText } from "../../ui/search"

export const DATA_TABS = ["events", "properties", "warnings", "letters", "plugins", "stores"] as const
/** Which names are listed by what people say of them: those that are not hidden, when absent. */
const SHOWN = ["verified", "undescribed", "hidden"] as const
const LOG_LEVELS = ["all", "warnings", "errors"] as const

/** What the page shows, as its address has it. */
export interface DataSearch extends ListSearch {
  readonly tab?: (typeof DATA_TABS)[number] | undefined
  /** Only properties of events of this name. */
  readonly event?: string | undefined
  /** Which names are listed, by what people say of them. */
  readonly shown?: (typeof SHOWN)[number] | undefined
  /** Number of the plugin whose log is shown. */
  readonly plugin?: string | undefined
  /** Which entries of it are shown; all when absent. */
  readonly level?: (typeof LOG_LEVELS)[number] | undefined
}

/** Reads the address; what is none is left out. */
export const readDataSearch = (search: RawSearch): DataSearch => ({
  ...readListSearch(search),
  tab: DATA_TABS.find((name) => name === search.tab),
  event: readText(search.event),
  shown: SHOWN.find((name) => name === search.shown),
  plugin: readText(search.plugin),
  level: LOG_LEVELS.find((name) => name === search.level),
})
