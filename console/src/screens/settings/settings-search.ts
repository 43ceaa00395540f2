import { type RawSearch, readText } from "../../ui/search"

/** The parts of the settings, in the order of their tabs. */
export const SETTINGS_TABS = ["project", "events", "members", "keys", "exports", "account", "log", "usage"] as const

/** What the settings show, as the address has it. */
export interface SettingsSearch {
  readonly tab?: (typeof SETTINGS_TABS)[number] | undefined
  /** The log is that of what belongs to no project. */
  readonly outside?: true | undefined
  /** The log has things of this kind alone; a kind that there is not is refused by the graph. */
  readonly kind?: string | undefined
  /** The page of the log begins after this cursor. */
  readonly after?: string | undefined
}

/** Reads the address of the settings; what is none is left out. */
export const readSettingsSearch = (search: RawSearch): SettingsSearch => ({
  tab: SETTINGS_TABS.find((tab) => tab === search.tab),
  outside: search.outside === true ? true : undefined,
  kind: readText(search.kind),
  after: readText(search.after),
})
