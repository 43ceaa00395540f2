import { type Condition, readConditions } from "../../ui/conditions"
import { type ListSearch, readListSearch } from "../../ui/list-search"
import type { RawSearch } from "../../ui/search"

/** What the list of persons is about, as its address has it. */
export interface PersonsSearch extends ListSearch {
  /** What must hold for their properties. */
  readonly where?: readonly Condition[] | undefined
}

/** Reads the filters and the place in the list; what is none is left out. */
export const readPersonsSearch = (search: RawSearch): PersonsSearch => ({
  ...readListSearch(search),
  where: readConditions(search.where),
})
