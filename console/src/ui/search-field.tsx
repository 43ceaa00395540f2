import { Checkbox, Group } from "@mantine/core"
import type { FavouritesSearch } from "./list-search"
import { TextFilter } from "./text-filter"

interface SearchFieldProps {
  /** What is looked in. */
  readonly placeholder: string
  readonly value: string | undefined
  /** Takes the text when somebody stops typing; absent when there is none. */
  readonly onChange: (text: string | undefined) => void
}

/** Finds rows of a list by a text, which the address has. */
export const SearchField = ({ placeholder, value, onChange }: SearchFieldProps) => (
  <TextFilter label="Search" placeholder={placeholder} width={280} value={value} onChange={onChange} />
)

interface FavouritesFilterProps {
  readonly search: FavouritesSearch
  /** Takes the filters of the first page. */
  readonly onChange: (search: FavouritesSearch) => void
}

/** Narrows a list by name, and to favourites. */
export const FavouritesFilter = ({ search: { search, favourites }, onChange }: FavouritesFilterProps) => (
  <Group gap="md" align="flex-end">
    <SearchField placeholder="Name" value={search} onChange={(text) => onChange({ search: text, favourites })} />
    <Checkbox
      size="xs"
      pb={6}
      label="Favourites"
      checked={favourites ?? false}
      onChange={({ currentTarget: { checked } }) => onChange({ search, favourites: checked || undefined })}
    />
  </Group>
)
