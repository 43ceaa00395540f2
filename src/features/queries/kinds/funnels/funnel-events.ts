import { type Expression, nodes, type Query } from "../../../../hogql/index.js"
import { NULL_BREAKDOWN } from "../../insights/breakdown.js"
import { inRange } from "../../insights/buckets.js"
import { joinWithAnd, joinWithOr } from "../../insights/property-conditions.js"
import type { Funnel } from "./read-funnel.js"

const { alias, array, call, compare, constant, field, lambda, select, source } = nodes

/** The conditions of the steps, then those of the exclusions. */
export const listConditions = ({ steps, exclusions }: Funnel): Expression[] =>
  [...steps, ...exclusions].map(({ condition }) => condition)

/** The names of the steps' events, each once; null where a step has more conditions than its event's name. */
export function listStepNames({ steps }: Funnel): readonly string[] | null {
  const names = steps.map(({ event, condition, eventCondition }) => (condition === eventCondition ? event : null))
  return names.every((name) => name !== null) ? [...new Set(names)] : null
}

/** Whether an event is of a step or exclusion; by one comparison of names where that is enough, which is quicker to plan. */
function isWanted(funnel: Funnel): Expression | null {
  if (funnel.order === "strict") return null
  const names = funnel.exclusions.length === 0 ? listStepNames(funnel) : null
  if (names === null) return joinWithOr(listConditions(funnel))
  return compare("in", field(["event"]), array(names.map((name) => constant(name))))
}

/**
 * Rows `(actor, time, value, …)` of the events of steps and exclusions; of all events when the order is strict, where any other
 * event ends an attempt. `time` is in microseconds, `value` that of the breakdown, "" without one.
 */
export function selectFunnelEvents(funnel: Funnel, more: readonly Expression[]): Query {
  const { conditions, range, breakdown, actor } = funnel
  return select({
    columns: [
      alias("actor", actor),
      alias("time", call("toUnixTimestamp64Micro", [field(["timestamp"])])),
      alias("value", breakdown?.expression ?? constant("")),
      ...more,
    ],
    from: [source(field(["events"]))],
    where: joinWithAnd([inRange(range), isWanted(funnel), ...conditions]),
  })
}

const NO_VALUE = lambda(["item"], constant(NULL_BREAKDOWN))
const IS_VALUE = lambda(["item"], compare("!=", field(["item"]), constant(NULL_BREAKDOWN)))

/** What events are grouped by beside the actor, as the end of a GROUP BY. */
export const toGroupBy = ({ attribution }: Funnel): string => (attribution === "all_events" ? "actor, value" : "actor")

/** Whether only those count who come to a certain step, whose value is theirs. */
export const isByStep = ({ breakdown, attribution }: Funnel): boolean => breakdown !== null && attribution === "step"

/**
 * The one breakdown value of a group of events: that of the first (or last) event which has any, or of the step's.
 *
 * @param isThere whether an event is of the step whose value counts
 */
export function toAttributedValue({ breakdown, attribution }: Funnel, isThere: Expression): Expression {
  const [value, time] = [field(["value"]), field(["time"])]
  if (breakdown === null) return constant("")
  if (attribution === "all_events") return value
  const pick = attribution === "last_touch" ? "argMax" : "argMin"
  if (breakdown.isMultiple) {
    const found =
      attribution === "step"
        ? call("argMinIf", [value, time, isThere])
        : call(`${pick}If`, [value, time, call("arrayExists", [IS_VALUE, value])])
    const none = call("arrayMap", [NO_VALUE, call("any", [value])])
    return call("if", [call("empty", [found]), none, found])
  }
  const counts = attribution === "step" ? isThere : compare("!=", value, constant(NULL_BREAKDOWN))
  const found = call(`${pick}If`, [value, time, counts])
  return call("if", [compare("==", found, constant("")), constant(NULL_BREAKDOWN), found])
}
