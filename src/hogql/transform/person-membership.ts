import { EVENT_PERSON_ID, OVERRIDES_ALIAS } from "../schema/events.js"
import { column, type SqlExpression, type SqlSelect, type SqlSource, sqlCall, sqlSelect, sqlText } from "../sql/sql.js"

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
export function toStoredTest({ from }: SqlSelect, test: PersonTest): SqlExpression | null {
  const overrides = from.find(({ alias }) => alias === OVERRIDES_ALIAS)
  if (overrides === undefined) return null
  const isOverridden = sqlCall("in", column("r", "distinct_id"), overriddenIds(overrides, null))
  const isToSuch = sqlCall("in", column("r", "distinct_id"), overriddenIds(overrides, test))
  return sqlCall("if", isOverridden, isToSuch, test(column("r", "person_id")))
}

/** Under an alias of its own, as the join that it is taken from may go away. */
function overriddenIds({ table }: SqlSource, test: PersonTest | null): SqlExpression {
  const id = column("o", "distinct_id")
  // The join takes a row without an id for no row.
  const isKnown = sqlCall("notEquals", id, sqlText(""))
  const query = sqlSelect({
    columns: [id],
    from: [{ table, alias: "o", join: null, on: null }],
    where: test === null ? isKnown : sqlCall("and", isKnown, test(column("o", "person_id"))),
  })
  return { kind: "query", query }
}
