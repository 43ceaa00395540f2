import { NativeSelect } from "@mantine/core"
import { type NameOwner, useDefinitions } from "../../filters/use-definitions"
import { type DataSearch, readDataSearch } from "./data-search"

const OPTIONS = [
  { value: "", label: "All that are not hidden" },
  { value: "verified", label: "Verified" },
  { value: "undescribed", label: "Without a description" },
  { value: "hidden", label: "Hidden" },
]

interface ShownSelectProps {
  readonly shown: DataSearch["shown"]
  readonly onChange: (shown: DataSearch["shown"]) => void
}

/** Which names are listed, by what people say of them. */
export const ShownSelect = ({ shown, onChange }: ShownSelectProps) => (
  <NativeSelect
    label="Show"
    data={OPTIONS}
    value={shown ?? ""}
    onChange={({ currentTarget: { value } }) => onChange(readDataSearch({ shown: value }).shown)}
  />
)

/** What a text in HogQL counts of names: only those of a list, if any is meant, and none of another one. */
export interface NameLists {
  readonly isListed: number
  readonly listed: readonly string[]
  readonly unlisted: readonly string[]
}

/** The condition that a name is wanted, over the values of `NameLists`. */
export const isWanted = (name: string): string =>
  `({isListed} = 0 OR has({listed}, ${name})) AND NOT has({unlisted}, ${name})`

/** Which names are meant by what is shown; null while that is not known. */
export function useNameLists(of: NameOwner, shown: DataSearch["shown"]): NameLists | null {
  const { definitions: known, isLoading } = useDefinitions(of)
  if (isLoading) return null
  const definitions = [...known.values()]
  const namesOf = (isMeant: (definition: (typeof definitions)[number]) => boolean): string[] =>
    definitions.filter(isMeant).map(({ name }) => name)
  const hidden = namesOf(({ isHidden }) => isHidden)
  if (shown === "hidden") return { isListed: 1, listed: hidden, unlisted: [] }
  if (shown === "verified") return { isListed: 1, listed: namesOf(({ isVerified }) => isVerified), unlisted: hidden }
  const described = shown === "undescribed" ? namesOf(({ description }) => description !== "") : []
  return { isListed: 0, listed: [], unlisted: [...hidden, ...described] }
}
