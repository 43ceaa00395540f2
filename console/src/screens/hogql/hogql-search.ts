import { type RawSearch, readText, readTexts } from "../../ui/search"

/** What the address of the page has. */
export interface HogqlSearch {
  /** The text that was run last, unless it is long. */
  readonly query?: string
  /** What is written for its parameters, by name. */
  readonly values?: Readonly<Record<string, string>>
  /** How the result is shown; a table when absent. */
  readonly view?: "lines" | "bars"
  /** The column along the chart, those that are drawn and the one that has a line for each value. */
  readonly x?: string
  readonly y?: readonly string[]
  readonly by?: string
}

function readValues(value: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof value !== "object" || value === null) return undefined
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, readText(one) ?? ""]))
}

/** Reads the address; what is none is left out. */
export const readHogqlSearch = ({ query, values, view, x, y, by }: RawSearch): HogqlSearch => ({
  query: readText(query),
  values: readValues(values),
  view: view === "lines" || view === "bars" ? view : undefined,
  x: readText(x),
  y: readTexts(y),
  by: readText(by),
})
