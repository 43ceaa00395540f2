import { AppError } from "../../../kernel/errors.js"
import type { Statement } from "../../../platform/clickhouse/click-house.js"
import { distinct } from "./export-format.js"
import { quotedName } from "./table-statement.js"

interface OwnColumn {
  readonly name: string
  /** The engine's type. */
  readonly type: string
}

/** Types that cannot be written to Parquet; they are written as text. */
const UNWRITABLE = /^(?:Interval|AggregateFunction)/

/**
 * Adapts a statement to Parquet, which takes the names of columns and the row limit from the statement, and has no type for a
 * column of nothing but nulls or empty lists.
 *
 * @param limit null where too many rows are refused when it is run
 */
export function toParquetStatement(
  statement: Statement,
  own: readonly OwnColumn[],
  shown: readonly string[],
  limit: number | null,
): Statement {
  const names = distinct(shown).map(quotedName)
  const columns = own.map((column, index) => `${writable(column)} AS ${names[index]}`)
  const ending = limit === null ? "" : ` LIMIT ${limit}`
  return { ...statement, sql: `SELECT ${columns.join(", ")} FROM (${statement.sql})${ending}` }
}

function writable({ name, type }: OwnColumn): string {
  const column = quotedName(name)
  if (UNWRITABLE.test(type)) return `toString(${column})`
  return /\bNothing\b/.test(type) ? `CAST(${column} AS ${type.replaceAll(/\bNothing\b/g, "String")})` : column
}

/** A file cannot say that rows are missing, so one that would miss some is refused. */
export async function orTooManyRows<T>(file: Promise<T>, maxRows: number): Promise<T> {
  try {
    return await file
  } catch (failure) {
    const isTooMany = failure instanceof AppError && failure.details.wireCode === "too_many_rows_or_bytes"
    if (!isTooMany) throw failure
    throw new AppError("invalid_input", {
      attr: "format",
      detail: `There are more than ${maxRows} rows, and a Parquet file cannot say that some are missing: use a LIMIT, or csv or jsonl.`,
      cause: failure,
    })
  }
}
