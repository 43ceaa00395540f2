import { type ConditionTerms, type KeyKind, type OrderColumn, toBeyond } from "../../kernel/list-order.js"
import type { PageRequest } from "../../kernel/paging.js"
import type { QueryParameters } from "./click-house.js"

/** A column of the order of a list that ClickHouse reads; none is null. */
export interface RangeColumn extends OrderColumn {
  /** What the statement calls it. */
  readonly column: string
}

/** The parts of a SELECT that cut a range out of a list. */
export interface ClickHouseRange {
  /** Belongs in WHERE; "true" for a range that begins at an end of the list. */
  readonly beyond: string
  /** Terms of ORDER BY. */
  readonly orderBy: string
  /** With its keywords. */
  readonly limit: string
  /** Values of all these; their names begin with `range`. */
  readonly parameters: QueryParameters
}

const TYPES: Readonly<Record<KeyKind, string>> = {
  time: "Int64",
  integer: "Int64",
  number: "Float64",
  text: "String",
  boolean: "Bool",
  uuid: "UUID",
}

/** Writes a range of a list. Times are compared in milliseconds. */
export function toRangeSql(
  order: readonly RangeColumn[],
  { from, isBackward, limit, offset }: PageRequest,
): ClickHouseRange {
  const parameters: Record<string, unknown> = { rangeLimit: limit, rangeOffset: offset }
  const bind = (value: unknown, kind: KeyKind): string => {
    const name = `range${Object.keys(parameters).length}`
    parameters[name] = value
    const text = `{${name}:${TYPES[kind]}}`
    return kind === "time" ? `fromUnixTimestamp64Milli(${text}, 'UTC')` : text
  }
  const terms: ConditionTerms<RangeColumn, string> = {
    compare: ({ column, kind }, sign, value) => `${column} ${sign} ${bind(value, kind)}`,
    isNull: ({ column }, isWanted) => `${column} IS ${isWanted ? "" : "NOT "}NULL`,
    all: (conditions) => `(${conditions.join(" AND ")})`,
    any: (conditions) => `(${conditions.join(" OR ")})`,
  }
  return {
    beyond: from === null ? "true" : toBeyond(order, from, isBackward, terms),
    orderBy: order
      .map(({ column, isDescending }) => `${column} ${isDescending === isBackward ? "ASC" : "DESC"}`)
      .join(),
    limit: "LIMIT {rangeLimit:UInt64} OFFSET {rangeOffset:UInt64}",
    parameters,
  }
}
