import { EVENT_PERSON_ID, OVERRIDES_ALIAS } from "../schema/events.js"
import {
  column,
  type SqlExpression,
  type SqlSelect,
  type SqlSource,
  sqlCall,
  sqlNumber,
  sqlSelect,
  sqlText,
} from "../sql/sql.js"

/** A condition on the id of a person, made for any expression that has it. */
export type PersonTest = (personId: SqlExpression) => SqlExpression

/** Whether an expression is the person that an event belongs to now. */
export const isEventsPerson = (item: SqlExpression): boolean => item.kind === "trusted" && item.sql === EVENT_PERSON_ID

/**
 * A condition on the person that an event belongs to now, asked of what is stored with the event, so that it needs no
 * join and can be asked before anything else is read. An event whose distinct id was given to another person is of that
 * one, any other of the person that is stored with it:
 *
 *     if(distinct_id IN (overridden ids), distinct_id IN (ids overridden to such a person), <test>(person_id))
 *
 * Null when the SELECT does not join the overrides.
 */
export function toStoredTest(select: SqlSelect, test: PersonTest): SqlExpression | null {
  const overrides = findOverrides(select)
  if (overrides === undefined) return null
  const isIn = (query: SqlSelect) => sqlCall("in", column("r", "distinct_id"), { kind: "query", query })
  const isToSuch = isIn(selectOverridden(overrides, test))
  return sqlCall("if", isIn(selectOverridden(overrides, null)), isToSuch, test(column("r", "person_id")))
}

/**
 * What holds for every event of a few persons, and for few others: the engine answers it by indexes of the stored event,
 * and leaves out nearly all events before it asks anything else of them (decision 0075).
 *
 *     <test>(person_id) OR <distinct_id is among the few ids overridden to such a person>
 *
 * Null when the SELECT does not join the overrides.
 */
export function toIndexedTest(select: SqlSelect, test: PersonTest): SqlExpression | null {
  const overrides = findOverrides(select)
  if (overrides === undefined) return null
  const isToSuch = isAmongFew(column("r", "distinct_id"), selectOverridden(overrides, test))
  return sqlCall("or", test(column("r", "person_id")), isToSuch)
}

/** The most values that are looked for by an index: each row that it does not leave out is compared with all of them. */
export const FEW = 20

/**
 * Whether a value is among those that a query gives in its only column; true of any value when there are many. The
 * engine uses no index for IN a query, because of `transform_null_in`, but for a list that it has worked out before.
 */
export function isAmongFew(item: SqlExpression, query: SqlSelect): SqlExpression {
  const columns = query.columns.map((of) => ({ ...sqlCall("groupArray", of), parameters: [sqlNumber(FEW + 1)] }))
  const list: SqlExpression = { kind: "query", query: { ...query, columns } }
  return sqlCall("or", sqlCall("has", list, item), sqlCall("greater", sqlCall("length", list), sqlNumber(FEW)))
}

const findOverrides = ({ from }: SqlSelect): SqlSource | undefined =>
  from.find(({ alias }) => alias === OVERRIDES_ALIAS)

/** Under an alias of its own, as the join that it is taken from may go away. */
function selectOverridden({ table }: SqlSource, test: PersonTest | null): SqlSelect {
  const id = column("o", "distinct_id")
  // The join takes a row without an id for no row.
  const isKnown = sqlCall("notEquals", id, sqlText(""))
  return sqlSelect({
    columns: [id],
    from: [{ table, alias: "o", join: null, on: null }],
    where: test === null ? isKnown : sqlCall("and", isKnown, test(column("o", "person_id"))),
  })
}
