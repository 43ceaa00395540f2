import { nodes } from "../../../hogql/index.js"
import type { Json } from "../../../kernel/json.js"
import { instant } from "../insights/buckets.js"
import { readInstant } from "../insights/date-range.js"
import { joinWithAnd, toContainsPattern } from "../insights/property-conditions.js"
import type { QueryReader } from "../insights/query-reader.js"
import { template } from "../insights/template.js"
import type { RunScope } from "../queries.types.js"
import { toAnswer } from "./answer.js"
import type { KindDefinition } from "./kind-definition.types.js"

const { array, call, compare, constant, field } = nodes

/** Values of events are looked for from the beginning of the day that lies so far back. */
const RECENT = "-7d"
const MAX_EVENT_NAMES = 100
/** How many values are listed. */
const MAX_VALUES = { event: 10, person: 20 } as const

/**
 * Kind `PropertyValuesQuery`: values that a property of events or persons has, for somebody who writes a filter
 * (`docs/contract/queries.md#propertyvaluesquery`).
 */
export const propertyValuesQuery: KindDefinition = {
  kind: "PropertyValuesQuery",
  async answer(reader, context) {
    const type = reader.choice("property_type", ["event", "person"], "event")
    const key = reader.requiredText("property_key")
    const search = reader.text("search_value")?.trim() ?? ""
    const subject = reader.flag("is_column") ? field([key]) : field(["properties", key])
    const value = call("toString", [subject])
    const found = await context.select(
      template(
        `SELECT value, count() AS uses FROM (SELECT ifNull({value}, '') AS value FROM {table} WHERE {where})
         WHERE value != '' GROUP BY value
         ORDER BY ${search === "" ? "" : "length(value), "}uses DESC, value LIMIT {most}`,
        {
          value,
          table: field([type === "event" ? "events" : "persons"]),
          where: joinWithAnd([
            search === "" ? null : compare("ilike", value, constant(toContainsPattern(search))),
            ...readEventConditions(reader, type === "event", context.run),
          ]),
          most: constant(MAX_VALUES[type]),
        },
      ),
    )
    const values = listValues(found.rows)
    // Items of lists may be more together than the lists are.
    return toAnswer(search === "" ? values.sort((a, b) => b.count - a.count) : values, [found])
  },
}

function readEventConditions(reader: QueryReader, isOfEvents: boolean, run: RunScope) {
  const names = reader.strings("event_names", { max: MAX_EVENT_NAMES }) ?? []
  if (!isOfEvents && names.length > 0) throw reader.fault("event_names", "has no effect on properties of persons")
  if (!isOfEvents) return []
  return [
    compare(">=", field(["timestamp"]), instant(readInstant(RECENT, run))),
    names.length === 0 ? null : compare("in", field(["event"]), array(names.map((name) => constant(name)))),
  ]
}

/** Values with how many have them; the items of a list each for itself. */
function listValues(rows: readonly (readonly Json[])[]): { name: Json; count: number }[] {
  const counts = new Map<Json, number>()
  for (const [text = null, uses] of rows)
    for (const name of readItems(String(text))) counts.set(name, (counts.get(name) ?? 0) + Number(uses))
  return [...counts].map(([name, count]) => ({ name, count }))
}

/** What a text is as JSON: the items of a list, or one number; any other text is a value as it is. */
function readItems(text: string): Json[] {
  const isNumber = String(Number(text)) === text
  if (isNumber) return [Number(text)]
  if (!text.startsWith("[")) return [text]
  try {
    const items: Json = JSON.parse(text)
    return [items].flat().map((item) => (typeof item === "object" ? JSON.stringify(item) : item))
  } catch {
    return [text]
  }
}
