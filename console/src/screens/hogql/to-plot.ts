import type { PlotAxis, PlotData } from "../../pictures/plot"
import type { HogqlSearch } from "./hogql-search"
import type { HogqlResult } from "./run"

/** Lines that can be told apart. */
const MOST_LINES = 10
const NUMBER = /^(?:Nullable\()?(?:U?Int|Float|Decimal)/
const DAY = /^(?:Nullable\()?Date(?:32)?\b/
const TIME = /^(?:Nullable\()?DateTime/

type Column = HogqlResult["columns"][number]

/** Whether a column can be drawn upwards. */
export const isNumber = ({ type }: Column): boolean => NUMBER.test(type ?? "")
const isTime = ({ type }: Column): boolean => TIME.test(type ?? "") || DAY.test(type ?? "")

/** The columns that are drawn, by their places among all. */
export interface PlottedColumns {
  readonly x: number
  readonly y: readonly number[]
  /** The column that has a line for each of its values; null when columns are the lines. */
  readonly by: number | null
}

/**
 * What is drawn of which columns: those of the address, else times or names along the plot, numbers as its lines, and
 * another column of names, if there is one, with a line of the first number for each. Null where no number is.
 */
export function chooseColumns({ columns }: HogqlResult, { x, y, by }: HogqlSearch): PlottedColumns | null {
  const at = (name: string | undefined): number => columns.findIndex((column) => column.name === name)
  const find = (test: (column: Column, place: number) => boolean): number => columns.findIndex(test)
  const along = [at(x), find(isTime), find((column) => !isNumber(column)), 0].find((place) => place >= 0) ?? 0
  const numbers = columns.flatMap((column, place) => (isNumber(column) && place !== along ? [place] : []))
  const chosen = numbers.filter((place) => y?.includes(columns[place]?.name ?? ""))
  const names = find((column, place) => place !== along && !isNumber(column) && !isTime(column))
  const split = by === undefined ? names : at(by)
  if (numbers.length === 0) return null
  const isSplit = split >= 0 && split !== along
  const drawn = isSplit ? numbers.slice(0, 1) : numbers
  return { x: along, y: chosen.length > 0 ? chosen : drawn, by: isSplit ? split : null }
}

/** Seconds since 1970 of a day or a time as HogQL writes it; a day begins in UTC, in which it is shown too. */
function toSeconds(cell: unknown): number {
  const text = String(cell).replace(" ", "T")
  return Date.parse(/T.*(?:Z|[+-]\d\d:?\d\d)$/.test(text) || !text.includes("T") ? text : `${text}Z`) / 1000
}

function toAxis(column: Column | undefined, cells: readonly unknown[], timezone: string): PlotAxis {
  if (column === undefined || !(isNumber(column) || isTime(column)))
    return { is: "names", names: [...new Set(cells.map(String))] }
  if (isNumber(column)) return { is: "numbers" }
  return DAY.test(column.type ?? "")
    ? { is: "times", timezone: "UTC", hasHours: false }
    : { is: "times", timezone, hasHours: true }
}

const toNumber = (cell: unknown): number | null => {
  const number = cell === null || cell === undefined ? Number.NaN : Number(cell)
  return Number.isFinite(number) ? number : null
}

/** The lines of a result over one column of it. Times without an offset are of `timezone`. */
export function toPlot({ columns, rows }: HogqlResult, { x, y, by }: PlottedColumns, timezone: string): PlotData {
  const cells = rows.map((row) => row?.[x])
  const axis = toAxis(columns[x], cells, timezone)
  const order = axis.is === "names" ? new Map(axis.names.map((name, place) => [name, place])) : null
  const toPlace = (cell: unknown): number =>
    order !== null ? (order.get(String(cell)) ?? 0) : axis.is === "times" ? toSeconds(cell) : Number(cell)
  const places = [...new Set(cells.map(toPlace))].filter(Number.isFinite).sort((a, b) => a - b)
  const lines = new Map<string, Map<number, number | null>>()
  for (const row of rows)
    for (const column of y) {
      const name = by === null ? (columns[column]?.name ?? "") : String(row?.[by])
      const label = by !== null && y.length > 1 ? `${name}: ${columns[column]?.name}` : name
      if (!lines.has(label)) lines.set(label, new Map())
      lines.get(label)?.set(toPlace(row?.[x]), toNumber(row?.[column]))
    }
  const drawn = [...lines].slice(0, MOST_LINES)
  return {
    along: columns[x]?.name ?? "",
    axis,
    places,
    lines: drawn.map(([label, values]) => ({ label, values: places.map((place) => values.get(place) ?? null) })),
  }
}
