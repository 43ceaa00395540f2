import { ScrollArea } from "@mantine/core"
import { Choice } from "./choice"
import { writeDay } from "./days"
import type { Series } from "./drawable"
import { writeNumber } from "./numbers"

interface PointTableProps {
  readonly series: readonly Series[]
  /** Makes buttons of the values. */
  readonly onPoint?: (series: number, place: number) => void
}

/**
 * A row for each series, a column for each day or label, the newest first: what a chart shows, to be read and reached
 * by keyboard.
 */
export function PointTable({ series, onPoint }: PointTableProps) {
  const labels = series[0]?.labels ?? []
  const places = labels.map((_, place) => place).reverse()
  return (
    <ScrollArea className="points" viewportProps={{ tabIndex: 0, role: "region", "aria-label": "Values" }}>
      <table>
        <thead>
          <tr>
            <th scope="col">Series</th>
            <th scope="col" className="number">
              Total
            </th>
            {places.map((place) => (
              <th key={place} scope="col" className="number">
                {writeDay(labels[place] ?? "")}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.map((one, at) => (
            <tr key={at}>
              <th scope="row" className={`s${at % 10}`}>
                {one.label}
              </th>
              <td className="number">{one.count === undefined ? "" : writeNumber(one.count)}</td>
              {places.map((place) => {
                const text = writeNumber(one.data[place] ?? 0)
                return (
                  <td key={place} className="number">
                    <Choice text={text} onClick={onPoint && (() => onPoint(at, place))} />
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}
