import { Select } from "@mantine/core"
import { CohortSelect } from "./cohort-select"
import type { StoredFilter } from "./stored-filter"

const INSIDE = [
  { value: "in", label: "is in" },
  { value: "not_in", label: "is not in" },
] as const

interface StoredCohortProps {
  /** What it is, for those who do not see it. */
  readonly label: string
  /** Of a cohort. */
  readonly filter: StoredFilter
  readonly onChange: (filter: StoredFilter) => void
}

/** Whether the person belongs to a cohort, and to which. */
export function StoredCohort({ label, filter, onChange }: StoredCohortProps) {
  const { operator, value } = filter
  return (
    <>
      <Select
        aria-label={`${label}, comparison`}
        w={110}
        allowDeselect={false}
        data={INSIDE}
        value={operator === "not_in" ? "not_in" : "in"}
        onChange={(chosen) => chosen !== null && onChange({ ...filter, operator: chosen })}
      />
      <CohortSelect
        label={`${label}, cohort`}
        cohort={value === null || value === undefined ? null : Number(value)}
        onChange={(cohort) => onChange({ ...filter, value: cohort })}
      />
    </>
  )
}
