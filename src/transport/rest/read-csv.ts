import { pipeline } from "node:stream/promises"
import { CsvError, type Options, parse } from "csv-parse"
import { parse as parseAtOnce } from "csv-parse/sync"
import { AppError } from "../../kernel/errors.js"

/** Names that a column of distinct ids goes by, in lower case. */
const ID_COLUMNS = new Set(["distinct_id", "distinct-id", "distinctid", "distinct id"])

/** What stands between cells: spreadsheets of many countries write semicolons, and copied tables have tabs. */
const SEPARATORS = [",", ";", "\t"]

/**
 * Reads distinct ids from a CSV file (RFC 4180) while it arrives: the column whose head says so, else the first column of
 * every line. Without a head cells are separated by commas, because an id may hold anything else.
 * @param chunks UTF-8.
 * @throws AppError invalid_input naming `field` when a quoted cell does not end; whatever the chunks throw.
 */
export async function receiveDistinctIds(chunks: AsyncIterable<Uint8Array>, field: string): Promise<string[]> {
  const ids = new IdColumn()
  const iterator = chunks[Symbol.asyncIterator]()
  const { value: first } = await iterator.next()
  if (first === undefined) return []
  async function* all(): AsyncGenerator<Uint8Array> {
    yield first
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  }
  const head = new TextDecoder().decode(first, { stream: true })
  await pipeline(all, parse(toOptions(head)), async (rows: AsyncIterable<string[]>) => {
    for await (const cells of rows) ids.add(cells)
  }).catch((fault: unknown) => rethrow(fault, field))
  return ids.values
}

/** `receiveDistinctIds` for a text that is there already. */
export function readDistinctIds(text: string, field: string): string[] {
  const ids = new IdColumn()
  try {
    for (const cells of parseAtOnce(text, toOptions(text))) ids.add(cells)
  } catch (fault) {
    rethrow(fault, field)
  }
  return ids.values
}

/** @param text of which the first line is read. */
const toOptions = (text: string): Options => ({
  delimiter: SEPARATORS.find((one) => findIdColumn(firstLine(text).split(one)) >= 0) ?? ",",
  record_delimiter: ["\r\n", "\r", "\n"],
  bom: true,
  relax_column_count: true,
  relax_quotes: true,
})

const firstLine = (text: string): string => /[^\r\n]+/.exec(text)?.[0].replace(/^\uFEFF/, "") ?? ""

function rethrow(fault: unknown, field: string): never {
  if (!(fault instanceof CsvError)) throw fault
  throw new AppError("invalid_input", { attr: field, detail: `${field} has a quoted cell that does not end.` })
}

/** The ids of rows as they come. */
class IdColumn {
  readonly values: string[] = []
  private column: number | null = null

  add(cells: readonly string[]): void {
    if (cells.every((cell) => cell.trim() === "")) return
    if (this.column === null) {
      const column = findIdColumn(cells)
      this.column = Math.max(0, column)
      if (column >= 0) return
    }
    const id = (cells[this.column] ?? "").trim()
    if (id !== "") this.values.push(id)
  }
}

const findIdColumn = (cells: readonly string[]): number =>
  cells.findIndex((cell) => ID_COLUMNS.has(withoutQuotes(cell.trim()).trim().toLowerCase()))

const withoutQuotes = (cell: string): string => cell.replace(/^"(.*)"$/, "$1")
