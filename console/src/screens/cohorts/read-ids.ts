/** Names that a column of ids goes by, in lower case, as REST has them, and those of persons. */
const ID_COLUMNS = ["distinct_id", "distinct-id", "distinctid", "distinct id", "person_id", "person id", "id"]
/** Spreadsheets of many countries write semicolons, and copied tables have tabs. */
const SEPARATORS = [",", ";", "\t"]

const findIdColumn = (cells: readonly string[]): number =>
  cells.findIndex((cell) => ID_COLUMNS.includes(cell.trim().toLowerCase()))

/**
 * The ids of a CSV file or of a list with one a line: the column whose head says so, else the first one. Rejects for
 * a quoted cell that does not end. What reads CSV is loaded with the first file.
 */
export async function readIds(text: string): Promise<string[]> {
  const { parse } = await import("csv-parse/browser/esm/sync")
  const [first = ""] = text.trimStart().split(/[\r\n]/, 1)
  const delimiter = SEPARATORS.find((one) => findIdColumn(first.split(one)) >= 0) ?? ","
  const rows: string[][] = parse(text, { delimiter, bom: true, relax_column_count: true, relax_quotes: true })
  const column = findIdColumn(rows[0] ?? [])
  const cells = (column >= 0 ? rows.slice(1) : rows).map((row) => (row[Math.max(0, column)] ?? "").trim())
  return [...new Set(cells.filter((id) => id !== ""))]
}
