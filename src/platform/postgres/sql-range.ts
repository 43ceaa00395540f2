import type { PageRequest } from "../../kernel/paging.js"
import { type SqlOrderColumn, toBeyondSql, toOrderSql } from "./sql-order.js"

/** The parts of a SELECT that cut a range out of a list. */
export interface SqlRange {
  /** Belongs in WHERE; "true" for a range that begins at an end of the list. */
  readonly beyond: string
  /** Terms of ORDER BY. */
  readonly orderBy: string
  /** Stand for the number of rows and for those skipped. */
  readonly limit: string
  readonly offset: string
  /** All values of the statement, those given first. */
  readonly values: unknown[]
}

/** Writes a range of a list. @param given the values that the statement has already, from `$1`. */
export function toRangeSql(
  order: readonly SqlOrderColumn[],
  { from, isBackward, limit, offset }: PageRequest,
  given: readonly unknown[],
): SqlRange {
  const values = [...given]
  const bind = (value: unknown): string => `$${values.push(value)}`
  return {
    beyond: from === null ? "true" : toBeyondSql(order, from, isBackward, bind),
    orderBy: toOrderSql(order, isBackward),
    limit: `${bind(limit)}::bigint`,
    offset: `${bind(offset)}::bigint`,
    values,
  }
}
