import { type ConditionTerms, type KeyKind, type OrderColumn, type RowKey, toBeyond } from "../../kernel/list-order.js"

/** A column of the order of a list that PostgreSQL reads. */
export interface SqlOrderColumn extends OrderColumn {
  /** Its name in the statement. */
  readonly column: string
}

/** A column that is named as its property is, but in snake case; it rises unless said otherwise. */
export const toOrderColumn = (
  property: string,
  kind: KeyKind,
  more: Partial<Omit<SqlOrderColumn, "property" | "kind">> = {},
): SqlOrderColumn => ({
  property,
  column: property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  kind,
  isDescending: false,
  ...more,
})

/** The number of a record, which makes every order total. */
export const BY_ID = toOrderColumn("id", "integer")

/** The order of lists of records where none is asked for. */
export const NEWEST_FIRST: readonly SqlOrderColumn[] = [toOrderColumn("createdAt", "time"), BY_ID].map((column) => ({
  ...column,
  isDescending: true,
}))

/** Adds a value to a statement and gives the text that stands for it there. */
export type BindValue = (value: unknown) => string

const TYPES: Readonly<Record<KeyKind, string>> = {
  time: "timestamptz",
  integer: "bigint",
  number: "float8",
  text: "text",
  boolean: "boolean",
  uuid: "uuid",
}

/** Whether a column rises or falls where the list is read in its order or backward. */
export const toDirection = ({ isDescending }: SqlOrderColumn, isBackward: boolean): "ASC" | "DESC" =>
  isDescending === isBackward ? "ASC" : "DESC"

/** ORDER BY without its keyword. */
export const toOrderSql = (order: readonly SqlOrderColumn[], isBackward: boolean): string =>
  order.map((column) => `${toColumnSql(column)} ${toDirection(column, isBackward)}`).join(", ")

/** The condition that rows lie beyond a key. @param table qualifies the columns. */
export function toBeyondSql(
  order: readonly SqlOrderColumn[],
  key: RowKey,
  isBackward: boolean,
  bind: BindValue,
  table?: string,
): string {
  const terms: ConditionTerms<SqlOrderColumn, string> = {
    compare: (column, sign, value) => {
      const stored = column.kind === "time" ? new Date(Number(value)).toISOString() : value
      return `${toColumnSql(column, table)} ${sign} ${bind(stored)}::${TYPES[column.kind]}`
    },
    isNull: (column, isWanted) => `${toColumnSql(column, table)} IS ${isWanted ? "" : "NOT "}NULL`,
    all: (conditions) => `(${conditions.join(" AND ")})`,
    any: (conditions) => (conditions.length === 0 ? "false" : `(${conditions.join(" OR ")})`),
  }
  return toBeyond(order, key, isBackward, terms)
}

/** What a list is ordered by, as an expression. @param table qualifies the column. */
export function toColumnSql({ column, maxCharacters }: SqlOrderColumn, table?: string): string {
  const name = table === undefined ? column : `${table}.${column}`
  return maxCharacters === undefined ? name : `left(${name}, ${maxCharacters})`
}
