import { raw } from "@mikro-orm/core"
import type { EntityManager } from "@mikro-orm/postgresql"
import type { RowKey } from "../../kernel/list-order.js"
import type { ListPage, PageRequest } from "../../kernel/paging.js"
import { readPage } from "../../kernel/read-page.js"
import type { Records } from "./records.js"
import { type SqlOrderColumn, toBeyondSql, toColumnSql, toDirection } from "./sql-order.js"

/** Which of a list's records a range has: options of `find`, and a condition that holds beside the list's own. */
export interface RecordRange {
  readonly beyond: Readonly<Record<symbol, never[]>>
  readonly options: {
    readonly orderBy: Readonly<Record<symbol, "ASC" | "DESC">>[]
    readonly limit: number
    readonly offset: number
  }
}

/** How a repository reads one of its lists. */
export interface RecordList<Entity> {
  /** Ends with what makes a record's key its own. */
  readonly order: readonly SqlOrderColumn[]
  find(em: EntityManager, range: RecordRange): Promise<readonly Entity[]>
  count(em: EntityManager): Promise<number>
}

/** Reads a page of records. @throws AppError invalid_input for a cursor of another list; store_unavailable. */
export const readRecords = <Entity extends object>(
  records: Records,
  list: RecordList<Entity>,
  page: PageRequest,
): Promise<ListPage<Entity>> =>
  readPage(
    {
      order: list.order,
      read: (range) => records.read(async (em) => ({ rows: await list.find(em, toRecordRange(list.order, range)) })),
      count: () => records.read((em) => list.count(em)),
    },
    page,
  )

function toRecordRange(
  order: readonly SqlOrderColumn[],
  { from, isBackward, limit, offset }: PageRequest,
): RecordRange {
  const orderBy = order.map((column) => ({
    [raw((table) => toColumnSql(column, table))]: toDirection(column, isBackward),
  }))
  return { beyond: from === null ? {} : toBeyond(order, from, isBackward), options: { orderBy, limit, offset } }
}

/** A condition in the ORM's words. It asks for the text when it knows what it calls the table, for values before. */
function toBeyond(order: readonly SqlOrderColumn[], from: RowKey, isBackward: boolean): RecordRange["beyond"] {
  const values: unknown[] = []
  toBeyondSql(order, from, isBackward, (value) => {
    values.push(value)
    return "?"
  })
  return { [raw((table) => toBeyondSql(order, from, isBackward, () => "?", table), values)]: [] }
}
