import { writeCell } from "./write-cell"

const MAX_ROWS = 500

interface Rows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

/** The largest number of a column whose cells are all numbers from 0 on, else 0. */
function findLargest(rows: Rows["rows"], column: number): number {
  const cells = rows.map((row) => row[column])
  return cells.every((cell): cell is number => typeof cell === "number" && cell >= 0) ? Math.max(...cells) : 0
}

/** A table of at most 500 rows; numbers have a bar behind them that compares them within their column. */
export function RowTable({ columns, rows }: Rows) {
  const shown = rows.slice(0, MAX_ROWS)
  const largest = columns.map((_, column) => findLargest(shown, column))
  const barOf = (cell: unknown, column: number) =>
    largest[column] ? { "--share": `${(Number(cell) / largest[column]) * 100}%` } : undefined
  const more = shown.length < rows.length ? `The first ${MAX_ROWS} of ${rows.length} rows.` : ""
  return (
    <figure>
      <table>
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th key={at} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, at) => (
            <tr key={at}>
              {columns.map((_, place) => (
                <td
                  key={place}
                  className={typeof row[place] === "number" ? "number" : undefined}
                  style={barOf(row[place], place) as React.CSSProperties | undefined}
                >
                  {writeCell(row[place])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <figcaption>{rows.length === 0 ? "No rows." : more}</figcaption>
    </figure>
  )
}
