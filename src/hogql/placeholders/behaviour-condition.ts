import type { HogqlScope } from "../hogql.types.js"
import { queryError } from "../hogql-error.js"
import { and, array, call, compare, constant, field, or } from "../nodes/make.js"
import type { Expression, Query, Span } from "../nodes/nodes.js"
import { placeAt } from "../nodes/place.js"
import { parse } from "../parse/parse.js"
import { BehaviourFields, type BehaviourLeaf, type RefuseField } from "./behaviour-fields.js"
import { fillNodes, type NodeValues } from "./fill-nodes.js"

const MAX_PERIODS = 100

/** Makes a query for the ids of persons of a text with `{names}`. */
type Template = (text: string, values: NodeValues) => Query

/** What persons can have done, by the word that leaves have for it. */
const KINDS: Readonly<Record<string, (fields: BehaviourFields, toQuery: Template) => Query>> = {
  performed_event: (fields, toQuery) =>
    toQuery("SELECT person_id FROM events WHERE {where}", {
      where: and([fields.event(), ...fields.filters(), ...fields.range()]),
    }),

  performed_event_multiple: (fields, toQuery) =>
    toQuery("SELECT person_id FROM events WHERE {where} GROUP BY person_id HAVING {count}", {
      where: and([fields.event(), ...fields.filters(), ...fields.range()]),
      count: fields.count(call("count")),
    }),

  performed_event_first_time: (fields, toQuery) =>
    toQuery(
      `SELECT person_id FROM events WHERE {event} GROUP BY person_id
       HAVING argMin({is_wanted}, tuple(timestamp, uuid))`,
      { event: fields.event(), is_wanted: and([...fields.filters(), ...fields.range(), constant(true)]) },
    ),

  performed_event_sequence: (fields, toQuery) => {
    const first = and([fields.event(), ...fields.filters()])
    const next = fields.event("seq_event")
    return toQuery(
      `SELECT person_id FROM (
         SELECT person_id, timestamp, {next} AS is_next, max(if({first}, timestamp, NULL)) OVER (
           PARTITION BY person_id ORDER BY timestamp, uuid ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
         ) AS began
         FROM events WHERE {where}
       ) WHERE is_next AND timestamp <= began + {length}`,
      { first, next, where: and([or([first, next]), ...fields.range()]), length: fields.length("seq_time") },
    )
  },

  performed_event_regularly: (fields, toQuery) => {
    const total = fields.wholeNumber("total_periods", MAX_PERIODS)
    const isEnough = (_: unknown, index: number): Expression =>
      call("if", [
        fields.count(countBetween(fields.ago("time", index + 1), fields.ago("time", index))),
        constant(1),
        constant(0),
      ])
    return toQuery(
      `SELECT person_id FROM events WHERE {where} AND timestamp >= {from} AND timestamp < {to} GROUP BY person_id
       HAVING arraySum({periods}) >= {wanted}`,
      {
        where: and([fields.event(), ...fields.filters()]),
        from: fields.ago("time", total),
        to: fields.ago("time", 0),
        periods: array(Array.from({ length: total }, isEnough)),
        wanted: constant(fields.wholeNumber("min_periods", total)),
      },
    )
  },

  stopped_performing_event: (fields, toQuery) =>
    toQuery(
      `SELECT person_id FROM events WHERE {where} AND timestamp >= {from} GROUP BY person_id
       HAVING max(timestamp) < {stopped}`,
      {
        where: and([fields.event(), ...fields.filters()]),
        from: fields.ago("time"),
        stopped: fields.ago("seq_time"),
      },
    ),

  restarted_performing_event: (fields, toQuery) => {
    const [from, restarted] = [fields.ago("time"), fields.ago("seq_time")]
    return toQuery(
      `SELECT person_id FROM events WHERE {where} GROUP BY person_id
       HAVING min(timestamp) < {from} AND {between} = 0 AND max(timestamp) >= {restarted}`,
      {
        where: and([fields.event(), ...fields.filters()]),
        from,
        between: countBetween(from, restarted),
        restarted,
      },
    )
  },
}

/**
 * A leaf of a cohort on what persons did as a condition on `persons` (`docs/contract/cohorts.md#behaviour`); its
 * `negation` is not looked at.
 *
 * @param scope the time of the query; without it dates are only checked
 * @param refuse makes the error for a field that breaks a rule
 * @throws what `refuse` makes; HogqlError naming the field when it is absent
 */
export function behaviourCondition(
  leaf: BehaviourLeaf,
  at: Span,
  scope: Partial<Pick<HogqlScope, "nowMs">>,
  refuse: RefuseField = (name, rule) => queryError(`${name} ${rule}.`, at),
): Expression {
  const { value } = leaf
  const toQuery = typeof value === "string" && Object.hasOwn(KINDS, value) ? KINDS[value] : undefined
  if (toQuery === undefined) throw refuse("value", `must be one of ${Object.keys(KINDS).join(", ")}`)
  const performers = toQuery(new BehaviourFields(leaf, refuse, at, scope), (text, values) =>
    fillNodes(parse(text), placeAt(values, at)),
  )
  return compare("in", field(["persons", "id"]), performers)
}

const countBetween = (from: Expression, to: Expression): Expression => {
  const time = field(["timestamp"])
  return call("countIf", [and([compare(">=", time, from), compare("<", time, to)])])
}
