import { type RawSearch, readText } from "./search"

/** What a list is about and where its page begins, as its address has it. */
export interface ListSearch {
  /** Part of what its rows are called. */
  readonly search?: string | undefined
  /** Cursor after which the page begins. */
  readonly after?: string | undefined
}

/** Reads the search and the place in the list; what is none is left out. */
export const readListSearch = ({ search, after }: RawSearch): ListSearch => ({
  search: readText(search),
  after: readText(after),
})

/** The same of a list in which everybody has favourites. */
export interface FavouritesSearch extends ListSearch {
  /** Only favourites of the caller. */
  readonly favourites?: true | undefined
}

/** Reads the filters and the place in the list; what is none is left out. */
export const readFavouritesSearch = (search: RawSearch): FavouritesSearch => ({
  ...readListSearch(search),
  favourites: search.favourites === true ? true : undefined,
})
