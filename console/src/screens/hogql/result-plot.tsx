import "../../pictures/pictures.css"
import { Checkbox, Group, NativeSelect } from "@mantine/core"
import { useElementSize } from "@mantine/hooks"
import { useMemo } from "react"
import { Plot } from "../../pictures/lazy-plot"
import { useProject } from "../../project/project"
import { EmptyState } from "../../ui/empty-state"
import type { HogqlSearch } from "./hogql-search"
import type { HogqlResult } from "./run"
import { chooseColumns, isNumber, toPlot } from "./to-plot"

const HEIGHT = 320

interface ResultPlotProps {
  readonly result: HogqlResult
  readonly search: HogqlSearch
  readonly view: "lines" | "bars"
  readonly onChange: (changed: HogqlSearch) => void
}

/** The rows of a result as a chart of columns that are chosen beside it. */
export function ResultPlot({ result, search, view, onChange }: ResultPlotProps) {
  const { timezone } = useProject()
  const { ref, width } = useElementSize()
  const chosen = chooseColumns(result, search)
  const key = JSON.stringify(chosen)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is chosen is made anew each time; its text is not.
  const data = useMemo(() => (chosen === null ? null : toPlot(result, chosen, timezone)), [result, key, timezone])
  if (chosen === null || data === null)
    return <EmptyState title="Nothing to draw" hint="A chart needs a column of numbers, such as count()." />
  const names = result.columns.map(({ name }) => name)
  const drawn = chosen.y.map((place) => names[place] ?? "")
  const numbers = result.columns.filter((column, place) => isNumber(column) && place !== chosen.x)
  const toggle = (name: string): void =>
    onChange({ y: drawn.includes(name) ? drawn.filter((one) => one !== name) : [...drawn, name] })
  return (
    <div ref={ref} className="picture">
      <Group gap="md" mb="sm" align="flex-end">
        <NativeSelect
          label="Along the chart"
          data={names}
          value={names[chosen.x]}
          onChange={({ currentTarget: { value } }) => onChange({ x: value })}
        />
        <NativeSelect
          label="A line for each"
          data={[{ value: "", label: "column" }, ...names.filter((_, place) => place !== chosen.x)]}
          value={chosen.by === null ? "" : names[chosen.by]}
          onChange={({ currentTarget: { value } }) => onChange({ by: value })}
        />
        {numbers.length > 1 && (
          <Group gap="sm" component="fieldset" className="parameters" aria-label="Columns that are drawn">
            {numbers.map(({ name }) => (
              <Checkbox
                key={name}
                size="xs"
                label={name}
                checked={drawn.includes(name)}
                onChange={() => toggle(name)}
              />
            ))}
          </Group>
        )}
      </Group>
      {width > 0 && <Plot label="Chart" data={data} view={view} width={width} height={HEIGHT} />}
    </div>
  )
}
