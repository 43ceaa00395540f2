import { AppError } from "../../kernel/errors.js"

/** Names that a column of distinct ids goes by, in lower case. */
const ID_COLUMNS = new Set(["distinct_id", "distinct-id", "distinctid", "distinct id"])

/** What stands between cells: spreadsheets of many countries write semicolons, and copied tables have tabs. */
const SEPARATORS = [",", ";", "\t"] as const
type Separator = (typeof SEPARATORS)[number]

/**
 * Reads distinct ids from CSV (RFC 4180): the column whose head says so, else the first column of every line. Without a head
 * cells are separated by commas, because an id may hold anything else.
 * @throws AppError invalid_input naming `field` when a quoted cell does not end.
 */
export function readDistinctIds(text: string, field: string): string[] {
  const head = /[^\r\n]+/.exec(text)?.[0] ?? ""
  const separator = SEPARATORS.find((one) => columnOf(head.replace(/^\uFEFF/, "").split(one)) >= 0) ?? ","
  const rows = readCsv(text, field, separator).filter((cells) => cells.some((cell) => cell.trim() !== ""))
  const column = columnOf(rows[0] ?? [])
  const ids = (column < 0 ? rows : rows.slice(1)).map((cells) => (cells[Math.max(0, column)] ?? "").trim())
  return ids.filter((id) => id !== "")
}

const columnOf = (cells: readonly string[]): number =>
  cells.findIndex((cell) =>
    ID_COLUMNS.has(
      cell
        .trim()
        .replace(/^"(.*)"$/, "$1")
        .trim()
        .toLowerCase(),
    ),
  )

/** Rows of cells; ends of lines may be CR, LF or both, and a byte-order mark is passed over. */
function readCsv(text: string, field: string, separator: Separator): string[][] {
  const rows: string[][] = []
  let cells: string[] = []
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n][^${separator}\\r\\n]*)?)(${separator}|\\r\\n|\\r|\\n|$)`,
    "y",
  )
  cell.lastIndex = text.startsWith("\uFEFF") ? 1 : 0
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text)
    if (found === null)
      throw new AppError("invalid_input", { attr: field, detail: `${field} has a quoted cell that does not end.` })
    const [, quoted, plain, end] = found
    cells.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'))
    if (end === separator) continue
    rows.push(cells)
    cells = []
  }
  if (cells.length > 0) rows.push([...cells, ""])
  return rows
}
