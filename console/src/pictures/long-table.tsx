import "./long-table.css"
import { ScrollArea } from "@mantine/core"
import { type ReactNode, useState } from "react"
import { writeCell } from "./write-cell"

const ROW_HEIGHT = 28
/** Rows beyond those that are seen, so that a quick hand does not outrun them. */
const MORE_ROWS = 12
/** Rows that the width of a column is found by. */
const MEASURED_ROWS = 100
/** In characters: of the first column, and of the others. */
const HEAD_WIDTH = 7
const WIDTHS = { least: 6, most: 48 }

/** A column of a long table. */
export interface LongColumn {
  readonly title: string
  /** What it holds, in a word, below the heading's name. */
  readonly note?: string
  /** Whether its cells are numbers, which stand at the right. */
  readonly isNumber: boolean
}

interface LongTableProps {
  /** What the rows are, for those who do not see them. */
  readonly label: string
  readonly columns: readonly LongColumn[]
  readonly rows: readonly (readonly unknown[])[]
  /** What stands in the first column of a row, such as its number. */
  readonly toHead: (row: number) => ReactNode
}

/** Widths in characters, by the headings and the first rows. */
const toWidths = (columns: readonly LongColumn[], rows: LongTableProps["rows"]): number[] =>
  columns.map(({ title }, at) => {
    const longest = Math.max(title.length, ...rows.slice(0, MEASURED_ROWS).map((row) => writeCell(row[at]).length))
    return Math.min(WIDTHS.most, Math.max(WIDTHS.least, longest)) + 3
  })

/** Any number of rows: only those that are seen are in the page. */
export function LongTable({ label, columns, rows, toHead }: LongTableProps) {
  const [first, setFirst] = useState(0)
  const [height, setHeight] = useState(600)
  const widths = toWidths(columns, rows)
  const least = widths.reduce((sum, width) => sum + width, HEAD_WIDTH)
  const from = Math.max(0, Math.min(first, rows.length - 1) - MORE_ROWS)
  const to = Math.min(rows.length, first + Math.ceil(height / ROW_HEIGHT) + MORE_ROWS)
  const indices = Array.from({ length: to - from }, (_, at) => from + at)
  return (
    <ScrollArea.Autosize
      mah="60vh"
      className="long-table"
      viewportProps={{
        tabIndex: 0,
        role: "region",
        "aria-label": label,
        onScroll: ({ currentTarget: { scrollTop, clientHeight } }) => {
          setFirst(Math.floor(scrollTop / ROW_HEIGHT))
          setHeight(clientHeight)
        },
      }}
    >
      <table aria-rowcount={rows.length + 1} style={{ minWidth: `${least}ch` }}>
        <colgroup>
          <col style={{ width: `${HEAD_WIDTH}ch` }} />
          {columns.map((_, at) => (
            <col key={at} style={{ width: `${widths[at]}ch` }} />
          ))}
          <col />
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <td />
            {columns.map(({ title, note, isNumber }, at) => (
              <th key={at} scope="col" className={isNumber ? "number" : undefined} title={note}>
                {title}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          <Gap rows={from} />
          {indices.map((index) => (
            <tr key={index} aria-rowindex={index + 2}>
              <th scope="row">{toHead(index)}</th>
              {columns.map(({ isNumber }, at) => {
                const cell = rows[index]?.[at]
                return (
                  <td key={at} className={isNumber ? "number" : undefined} data-missing={cell === null || undefined}>
                    {cell === null ? "null" : writeCell(cell)}
                  </td>
                )
              })}
              <td />
            </tr>
          ))}
          <Gap rows={rows.length - to} />
        </tbody>
      </table>
    </ScrollArea.Autosize>
  )
}

/** In the place of rows that are not seen. */
function Gap({ rows }: { readonly rows: number }) {
  if (rows <= 0) return null
  return <tr style={{ height: rows * ROW_HEIGHT }} />
}
