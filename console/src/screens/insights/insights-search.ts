import { type RawSearch, readText } from "../../ui/search"

/** The filters of the list, as its address has them. */
export interface InsightsSearch {
  /** Words of the name or the description. */
  readonly search?: string
  /** Only favourites of the caller. */
  readonly favourites?: true
}

/** Reads the filters of the address; what is none is left out. */
export const readInsightsSearch = ({ search, favourites }: RawSearch): InsightsSearch => ({
  search: readText(search),
  favourites: favourites === true ? true : undefined,
})
