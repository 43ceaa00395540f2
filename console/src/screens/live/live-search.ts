import { type Condition, readConditions } from "../../ui/conditions"
import { type RawSearch, readText, readTexts } from "../../ui/search"

/** What is followed and shown, as the address has it. */
export interface LiveSearch {
  /** Only events of this name. */
  readonly event?: string
  /** What must hold for their properties. */
  readonly where?: readonly Condition[]
  /** Properties that have a column. */
  readonly columns?: readonly string[]
}

/** Reads the filters of the address; what is none is left out. */
export const readLiveSearch = ({ event, where, columns }: RawSearch): LiveSearch => ({
  event: readText(event),
  where: readConditions(where),
  columns: readTexts(columns),
})
