import type { EventSelection } from "./event-deletions.types.js"

/** SQL over `events` with the values of its parameters. */
export interface EventCondition {
  readonly condition: string
  readonly parameters: Readonly<Record<string, unknown>>
}

const toTime = (name: string): string => `fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`

/**
 * The events of a project that a selection is about and that were accepted up to a time. Whoever uses it binds `project`.
 * Values of properties are compared as texts: `5` and `"5"` are the same.
 */
export function toEventCondition(
  { names, from, before, properties }: EventSelection,
  acceptedUntilMs: number,
): EventCondition {
  const conditions = [`created_at <= ${toTime("until")}`]
  const parameters: Record<string, unknown> = { until: acceptedUntilMs }
  if (names !== null) {
    conditions.push("event IN {names:Array(String)}")
    parameters.names = names
  }
  if (from !== null) {
    conditions.push(`timestamp >= ${toTime("from")}`)
    parameters.from = Date.parse(from)
  }
  if (before !== null) {
    conditions.push(`timestamp < ${toTime("before")}`)
    parameters.before = Date.parse(before)
  }
  for (const [index, { name, values }] of properties.entries()) {
    conditions.push(`JSONHas(properties, {name${index}:String})`)
    parameters[`name${index}`] = name
    if (values === null) continue
    const text = `ifNull(JSONExtract(properties, {name${index}:String}, 'Nullable(String)'), '')`
    conditions.push(`${text} IN {values${index}:Array(String)}`)
    parameters[`values${index}`] = values
  }
  return { condition: conditions.join(" AND "), parameters }
}
