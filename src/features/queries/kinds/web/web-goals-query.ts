import type { Expression, Query } from "../../../../hogql/index.js"
import type { Json } from "../../../../kernel/json.js"
import { inRange } from "../../insights/buckets.js"
import { joinWithAnd, joinWithOr } from "../../insights/property-conditions.js"
import { refuseOptions } from "../../insights/refusals.js"
import { matchesAction } from "../../insights/series.js"
import { template } from "../../insights/template.js"
import { toAnswer } from "../answer.js"
import type { KindDefinition } from "../kind-definition.types.js"
import { readPage } from "../read-page.js"
import { readWebOrder, type WebOrder } from "./read-web-order.js"
import { isView, readWebQuery, type WebQuery } from "./read-web-query.js"

const COLUMNS = ["action_name", "converting_users", "total_conversions", "conversion_rate"]
/** What rows can be ordered by, and the place of it in a row. */
const ORDERS: ReadonlyMap<string, number> = new Map([
  ["ConvertingUsers", 1],
  ["TotalConversions", 2],
  ["ConversionRate", 3],
])

/** Kind `WebGoalsQuery`: who did the project's newest actions (`docs/contract/queries.md#web-kinds`). */
export const webGoalsQuery: KindDefinition = {
  kind: "WebGoalsQuery",
  async answer(reader, context) {
    refuseOptions(reader, { conversionGoal: null })
    const query = await readWebQuery(reader, context)
    const page = readPage(reader, { defaultLimit: 5, maxLimit: 100 })
    const order = readWebOrder(reader, ORDERS)
    const { actions } = await context.hogqlScope()
    const newest = [...(actions?.values() ?? [])].sort((a, b) => b.id - a.id)
    const shown = newest.slice(page.offset, page.offset + page.limit)
    const more = {
      columns: COLUMNS.map((name) => `context.columns.${name}`),
      hasMore: newest.length > page.offset + page.limit,
      ...page,
    }
    if (shown.length === 0) return toAnswer([], [], more)
    const goals = shown.map(({ id }) => matchesAction(id))
    const found = await context.select(selectGoals(goals, query))
    const numbers = (found.rows[0] ?? []).map(Number)
    const results = shown.map(({ name }, index) => [name, ...toPairs(numbers, index, query.previous !== null)])
    return toAnswer(order === null ? results : results.sort(comparing(order)), [found], more)
  },
}

/** One row: visitors now and before, then for each goal those who came to it and how often, now and before. */
function selectGoals(goals: readonly Expression[], { range, previous, filters }: WebQuery): Query {
  const columns = goals.flatMap((_, index) =>
    ["{isNow}", "NOT {isNow}"].flatMap((when) => [
      `uniqExactIf(person_id, {goal_${index}} AND ${when})`,
      `countIf({goal_${index}} AND ${when})`,
    ]),
  )
  return template(
    `SELECT uniqExactIf(person_id, {isNow}), uniqExactIf(person_id, NOT {isNow}), ${columns.join(", ")}
     FROM events WHERE {where}`,
    {
      ...Object.fromEntries(goals.map((goal, index) => [`goal_${index}`, goal])),
      isNow: inRange(range),
      where: joinWithAnd([
        joinWithOr([inRange(range), previous && inRange(previous)]),
        joinWithOr([isView, ...goals]),
        ...filters,
      ]),
    },
  )
}

/** Who converted, how often, and the share of visitors who did, each beside that of the time before. */
function toPairs(
  [visitors = 0, visitorsBefore = 0, ...numbers]: readonly number[],
  index: number,
  isCompared: boolean,
) {
  const [persons = 0, total = 0, personsBefore = 0, totalBefore = 0] = numbers.slice(index * 4)
  const share = (some: number, all: number) => (all === 0 ? 0 : some / all)
  const before = (value: number) => (isCompared ? value : null)
  return [
    [persons, before(personsBefore)],
    [total, before(totalBefore)],
    [share(persons, visitors), before(share(personsBefore, visitorsBefore))],
  ]
}

function comparing({ place, direction }: WebOrder): (a: Json[], b: Json[]) => number {
  const sign = direction === "ASC" ? 1 : -1
  return (a, b) => sign * (readNumber(a[place]) - readNumber(b[place]))
}

/** The number of now in a pair. */
const readNumber = (pair: Json | undefined): number => (Array.isArray(pair) ? Number(pair[0]) : 0)
