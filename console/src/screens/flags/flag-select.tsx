import { Select } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useState } from "react"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { FLAG_NAMES } from "./flags.queries"

const TYPING_MS = 200
const ON = "true"
const OFF = "false"

interface FlagSelectProps {
  readonly label: string
  /** Number of the flag as text; empty when none is chosen yet. */
  readonly flag: string
  /** True for on, false for off, or a variant. */
  readonly value: unknown
  readonly onChange: (changed: { readonly key: string; readonly value: boolean | string }) => void
}

/** Another flag of the project, found by typing, and what it has to be. */
export function FlagSelect({ label, flag, value, onChange }: FlagSelectProps) {
  const { id: projectId } = useProject()
  const [typed, setTyped] = useState("")
  const [search] = useDebouncedValue(typed, TYPING_MS)
  const variables = { projectId, search, chosen: Number(flag) || 0, hasChosen: flag !== "" }
  const [{ data, fetching }] = useQuery({ query: FLAG_NAMES, variables })
  const found = [...(data?.chosen ? [data.chosen] : []), ...(data?.featureFlags?.nodes ?? [])]
  const keys = new Map(found.map(({ number, key }) => [String(number), key]))
  const variants = data?.chosen?.filters?.variants.map(({ key }) => ({ value: `is ${key}`, label: `is ${key}` })) ?? []
  return (
    <>
      <Select
        aria-label={`${label}, flag`}
        placeholder="Flag"
        w={200}
        searchable
        allowDeselect={false}
        data={[...keys].map(([number, key]) => ({ value: number, label: key }))}
        value={flag === "" ? null : flag}
        onSearchChange={setTyped}
        onChange={(chosen) => chosen !== null && onChange({ key: chosen, value: true })}
        error={flag !== "" && data !== undefined && !keys.has(flag) ? "This flag is gone." : undefined}
        nothingFoundMessage={fetching ? "Loading…" : "No flag has this key."}
      />
      <Select
        aria-label={`${label}, value`}
        w={150}
        allowDeselect={false}
        data={[{ value: ON, label: "is on" }, { value: OFF, label: "is off" }, ...variants]}
        value={typeof value === "boolean" ? String(value) : `is ${value}`}
        onChange={(chosen) => chosen !== null && onChange({ key: flag, value: toValue(chosen) })}
      />
    </>
  )
}

const toValue = (chosen: string): boolean | string =>
  chosen === ON || chosen === OFF ? chosen === ON : chosen.slice("is ".length)
