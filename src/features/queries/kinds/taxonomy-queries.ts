import { type Expression, nodes } from "../../../hogql/index.js"
import type { Json } from "../../../kernel/json.js"
import { instant } from "../insights/buckets.js"
import { allOf } from "../insights/property-conditions.js"
import { QueryReader } from "../insights/query-reader.js"
import { template } from "../insights/template.js"
import type { QueryKind, RunScope } from "../queries.types.js"
import { answerOf } from "./answer.js"
import type { HogqlRunner } from "./hogql-runner.js"

const { call, compare, constant, field, select, source, tuple } = nodes

/** What a project sends is told from this much of its newest data. */
const RECENT_MS = 30 * 86_400_000
const MAX_EVENTS = 500
const MAX_PROPERTIES = 500
const MAX_SAMPLES = 25

const isRecent = ({ nowMs }: RunScope): Expression => compare(">", field(["timestamp"]), instant(nowMs - RECENT_MS))

/** Kind `TeamTaxonomyQuery`: the events of the last 30 days, the most frequent first. */
export function createTeamTaxonomyQueryKind(runner: HogqlRunner): QueryKind {
  return {
    kind: "TeamTaxonomyQuery",
    async run(_query, run) {
      const ast = await template(
        "SELECT event, count() AS count FROM events WHERE {recent} GROUP BY event ORDER BY count DESC, event LIMIT {most}",
        { recent: isRecent(run), most: constant(MAX_EVENTS) },
      )
      const answer = await runner.runNodes(ast, run)
      const results = answer.rows.map(([event = null, count = 0]) => ({ event, count }))
      return answerOf(results, [answer])
    },
  }
}

/** Kind `EventTaxonomyQuery`: the properties of an event, with some of their values. */
export function createEventTaxonomyQueryKind(runner: HogqlRunner): QueryKind {
  return {
    kind: "EventTaxonomyQuery",
    async run(query, run) {
      const reader = new QueryReader(query, "EventTaxonomyQuery")
      const event = reader.requiredText("event")
      const names = reader.texts("properties", { max: MAX_PROPERTIES }) ?? []
      const samples = reader.integer("maxPropertyValues", { min: 1, max: MAX_SAMPLES }) ?? 5
      const ast = await template(
        `SELECT name, groupArray(${samples})(value) AS samples, count() AS values
         FROM (
           SELECT pair.1 AS name, pair.2 AS value, count() AS uses
           FROM (SELECT arrayJoin(JSONExtractKeysAndValuesRaw(properties)) AS pair FROM events WHERE {where})
           WHERE value != 'null' AND {named}
           GROUP BY name, value ORDER BY uses DESC, value
         )
         GROUP BY name ORDER BY values DESC, name LIMIT {most}`,
        {
          where: allOf([isRecent(run), compare("==", field(["event"]), constant(event))]),
          named:
            names.length === 0
              ? constant(true)
              : compare("in", field(["name"]), tuple(names.map((name) => constant(name)))),
          most: constant(MAX_PROPERTIES),
        },
      )
      const answer = await runner.runNodes(ast, run)
      const results = answer.rows.map(([property = null, raw = [], count = 0]) => ({
        property,
        sample_values: Array.isArray(raw) ? raw.map(textOf) : [],
        sample_count: count,
      }))
      return answerOf(results, [answer])
    },
  }
}

/** Kind `ActorsPropertyTaxonomyQuery`: some values of a property of persons, or of groups of a type. */
export function createActorsPropertyTaxonomyQueryKind(runner: HogqlRunner): QueryKind {
  return {
    kind: "ActorsPropertyTaxonomyQuery",
    async run(query, run) {
      const reader = new QueryReader(query, "ActorsPropertyTaxonomyQuery")
      const group = reader.integer("groupTypeIndex", { min: 0, max: 4 })
      const samples = reader.integer("maxPropertyValues", { min: 1, max: MAX_SAMPLES }) ?? MAX_SAMPLES
      const values = select({
        columns: [nodes.alias("value", call("toString", [field(["properties", reader.requiredText("property")])]))],
        from: [source(field([group === null ? "persons" : "groups"]))],
        where: group === null ? null : compare("==", field(["index"]), constant(group)),
      })
      const ast = await template(
        `SELECT groupArray(${samples})(value), count() FROM (
           SELECT value, count() AS uses FROM {values} WHERE value IS NOT NULL AND value != ''
           GROUP BY value ORDER BY uses DESC, value)`,
        { values },
      )
      const answer = await runner.runNodes(ast, run)
      const [[found = [], count = 0] = []] = answer.rows
      return answerOf({ sample_values: found, sample_count: count }, [answer])
    },
  }
}

/** A value of JSON as text, without the quotes of a text. */
function textOf(raw: Json): string {
  try {
    const value: unknown = JSON.parse(String(raw))
    return typeof value === "string" ? value : String(raw)
  } catch {
    return String(raw)
  }
}
