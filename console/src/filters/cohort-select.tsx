import { Select } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useState } from "react"
import { useQuery } from "urql"
import { useProject } from "../project/project"
import { COHORT_NAMES } from "./names.queries"

const TYPING_MS = 200

interface CohortSelectProps {
  /** What is chosen, for those who do not see it. */
  readonly label: string
  /** Number of the cohort; null when none is chosen yet. */
  readonly cohort: number | null
  readonly onChange: (cohort: number) => void
}

/** A cohort of the project, found by typing a part of its name. */
export function CohortSelect({ label, cohort, onChange }: CohortSelectProps) {
  const { id: projectId } = useProject()
  const [typed, setTyped] = useState("")
  const [search] = useDebouncedValue(typed, TYPING_MS)
  const variables = { projectId, search, chosen: cohort ?? 0, hasChosen: cohort !== null }
  const [{ data, fetching }] = useQuery({ query: COHORT_NAMES, variables })
  const found = [...(data?.chosen ? [data.chosen] : []), ...(data?.cohorts?.nodes ?? [])]
  const names = new Map(found.map(({ number, name }) => [String(number), name || `Cohort ${number}`]))
  const isLost = cohort !== null && data !== undefined && !names.has(String(cohort))
  return (
    <Select
      aria-label={label}
      placeholder="Cohort"
      w={220}
      searchable
      allowDeselect={false}
      data={[...names].map(([value, name]) => ({ value, label: name }))}
      value={cohort === null ? null : String(cohort)}
      onSearchChange={setTyped}
      onChange={(chosen) => chosen !== null && onChange(Number(chosen))}
      error={isLost ? "This cohort is gone." : undefined}
      nothingFoundMessage={fetching ? "Loading…" : "No cohort has this name."}
    />
  )
}
