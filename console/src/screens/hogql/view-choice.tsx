import { SegmentedControl } from "@mantine/core"
import type { HogqlSearch } from "./hogql-search"

const VIEWS = [
  { value: "table", label: "Table" },
  { value: "lines", label: "Lines" },
  { value: "bars", label: "Bars" },
]

interface ViewChoiceProps {
  readonly view: HogqlSearch["view"]
  readonly onChange: (view: HogqlSearch["view"]) => void
}

/** Chooses how rows are shown. */
export function ViewChoice({ view, onChange }: ViewChoiceProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="View"
      data={VIEWS}
      value={view ?? "table"}
      onChange={(chosen) => onChange(chosen === "lines" || chosen === "bars" ? chosen : undefined)}
    />
  )
}
