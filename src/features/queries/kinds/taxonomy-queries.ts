import { type Expression, nodes } from "../../../hogql/index.js"
import type { Json } from "../../../kernel/json.js"
import { instant } from "../insights/buckets.js"
import { joinWithAnd } from "../insights/property-conditions.js"
import { template } from "../insights/template.js"
import type { RunScope } from "../queries.types.js"
import { toAnswer } from "./answer.js"
import type { KindDefinition } from "./kind-definition.types.js"

const { array, call, compare, constant, field, tuple } = nodes

/** Events and properties are listed from this much of a project's newest data. */
const RECENT_MS = 30 * 86_400_000
const MAX_EVENTS = 500
const MAX_PROPERTIES = 500
const MAX_SAMPLES = 25
const MAX_ACTOR_PROPERTIES = 200

const isRecent = ({ nowMs }: RunScope): Expression => compare(">", field(["timestamp"]), instant(nowMs - RECENT_MS))

/** Kind `TeamTaxonomyQuery`: the events of the last 30 days, the most frequent first. */
export const teamTaxonomyQuery: KindDefinition = {
  kind: "TeamTaxonomyQuery",
  async answer(_reader, context) {
    const found = await context.select(
      template(
        "SELECT event, count() AS count FROM events WHERE {recent} GROUP BY event ORDER BY count DESC, event LIMIT {most}",
        { recent: isRecent(context.run), most: constant(MAX_EVENTS) },
      ),
    )
    const results = found.rows.map(([event = null, count = 0]) => ({ event, count }))
    return toAnswer(results, [found])
  },
}

/** Kind `EventTaxonomyQuery`: the properties of an event, with some of their values. */
export const eventTaxonomyQuery: KindDefinition = {
  kind: "EventTaxonomyQuery",
  async answer(reader, context) {
    const event = reader.requiredText("event")
    const names = reader.strings("properties", { max: MAX_PROPERTIES }) ?? []
    const samples = reader.integer("maxPropertyValues", { min: 1, max: MAX_SAMPLES }) ?? 5
    const isNamed = compare("in", field(["name"]), tuple(names.map((name) => constant(name))))
    const found = await context.select(
      template(
        `SELECT name, groupArray(${samples})(value) AS samples, count() AS values
         FROM (
           SELECT pair.1 AS name, pair.2 AS value, count() AS uses
           FROM (SELECT arrayJoin(JSONExtractKeysAndValuesRaw(properties)) AS pair FROM events WHERE {where})
           WHERE value != 'null' AND {named}
           GROUP BY name, value ORDER BY uses DESC, value
         )
         GROUP BY name ORDER BY values DESC, name LIMIT {most}`,
        {
          where: joinWithAnd([isRecent(context.run), compare("==", field(["event"]), constant(event))]),
          named: names.length === 0 ? constant(true) : isNamed,
          most: constant(MAX_PROPERTIES),
        },
      ),
    )
    const results = found.rows.map(([property = null, raw = [], count = 0]) => ({
      property,
      sample_values: Array.isArray(raw) ? raw.map(toText) : [],
      sample_count: count,
    }))
    return toAnswer(results, [found])
  },
}

/**
 * Kind `ActorsPropertyTaxonomyQuery`: some values of a property of persons, or of groups of a type; of several
 * `properties` a list in their order.
 */
export const actorsPropertyTaxonomyQuery: KindDefinition = {
  kind: "ActorsPropertyTaxonomyQuery",
  async answer(reader, context) {
    const names = reader.strings("properties", { max: MAX_ACTOR_PROPERTIES })
    if (names !== null && reader.value("property") !== null)
      throw reader.fault("property", "cannot be used with properties")
    const asked = names ?? [reader.requiredText("property")]
    const group = reader.integer("groupTypeIndex", { min: 0, max: 4 })
    const samples = reader.integer("maxPropertyValues", { min: 1, max: MAX_SAMPLES }) ?? MAX_SAMPLES
    if (asked.length === 0) return toAnswer([], [])
    const values = asked.map((name, place) =>
      tuple([constant(place), call("ifNull", [call("toString", [field(["properties", name])]), constant("")])]),
    )
    const answer = await context.select(
      template(
        `SELECT place, groupArray(${samples})(value), count() FROM (
           SELECT pair.1 AS place, pair.2 AS value, count() AS uses
           FROM (SELECT arrayJoin({values}) AS pair FROM {actors} WHERE {isOfType})
           WHERE value != '' GROUP BY place, value ORDER BY uses DESC, value)
         GROUP BY place`,
        {
          values: array(values),
          actors: field([group === null ? "persons" : "groups"]),
          isOfType: group === null ? constant(true) : compare("==", field(["index"]), constant(group)),
        },
      ),
    )
    const results = asked.map((_, place) => {
      const [, sample_values = [], sample_count = 0] = answer.rows.find(([found]) => Number(found) === place) ?? []
      return { sample_values, sample_count }
    })
    return toAnswer(names === null ? (results[0] ?? null) : results, [answer])
  },
}

/** A value of JSON as text, without the quotes of a text. */
function toText(raw: Json): string {
  try {
    const value: unknown = JSON.parse(String(raw))
    return typeof value === "string" ? value : String(raw)
  } catch {
    return String(raw)
  }
}
