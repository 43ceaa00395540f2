import { type RawSearch, readText } from "../../ui/search"

/** Where a recording is looked at, as its address has it. */
export interface RecordingSearch {
  /** Second at which the player begins. */
  readonly t?: number
  /** The browser window that is shown, where the session had more than one. */
  readonly window?: string
  /** The playlist that it is watched from, by the name of that in addresses. */
  readonly playlist?: string | undefined
}

/** Reads where to begin; what is no such place is left out. */
export const readRecordingSearch = ({ t, window, playlist }: RawSearch): RecordingSearch => ({
  t: typeof t === "number" && t >= 0 ? t : undefined,
  window: readText(window),
  playlist: readText(playlist),
})
