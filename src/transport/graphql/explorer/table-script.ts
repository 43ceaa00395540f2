/** Draws rows as a table; numbers have a bar behind them that compares them within their column. */
export const TABLE_SCRIPT = `
import { element } from "./chart.js"

const MAX_ROWS = 500

const textOf = (cell) =>
  cell === null || cell === undefined ? "" : typeof cell === "object" ? JSON.stringify(cell) : String(cell)

/** A table of at most 500 rows. */
export function drawTable(columns, rows) {
  const shown = rows.slice(0, MAX_ROWS)
  const largest = columns.map((_, at) => {
    const cells = shown.map((row) => row[at])
    return cells.every((cell) => typeof cell === "number" && cell >= 0) ? Math.max(...cells) : 0
  })
  const cellOf = (cell, at) => {
    const drawn = element("td", { class: typeof cell === "number" ? "number" : "" }, [textOf(cell)])
    if (largest[at] > 0) drawn.style.setProperty("--share", (cell / largest[at]) * 100 + "%")
    return drawn
  }
  return element("figure", {}, [
    element("table", {}, [
      element("thead", {}, [element("tr", {}, columns.map((column) => element("th", { scope: "col" }, [String(column)])))]),
      element("tbody", {}, shown.map((row) => element("tr", {}, columns.map((_, at) => cellOf(row[at], at))))),
    ]),
    element("figcaption", {}, [
      rows.length === 0 ? "No rows." : shown.length < rows.length ? "The first " + MAX_ROWS + " of " + rows.length + " rows." : "",
    ]),
  ])
}
`
