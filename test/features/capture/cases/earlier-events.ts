import type { JsonObject } from "../../../../src/kernel/json.js"

/** The state before a person or group case, and its event. */
export interface PipelineGiven {
  readonly persons?: readonly {
    readonly distinct_ids: readonly string[]
    readonly properties: JsonObject
    readonly is_identified: boolean
    readonly created_at: "t1" | "t2"
  }[]
  readonly group_types?: Readonly<Record<string, number>>
  readonly groups?: readonly { readonly type_index: number; readonly key: string; readonly properties: JsonObject }[]
  readonly event: { readonly event: string; readonly distinct_id: string; readonly properties: JsonObject }
}

/** When the persons of the cases were created, in milliseconds. */
export const TIMES = { t1: Date.parse("2025-01-01T00:00:00Z"), t2: Date.parse("2025-02-01T00:00:00Z") }
/** An id is identified only together with another one; where a case names one id, the other ends so. */
export const HELPER_ID_SUFFIX = " (anonymous)"
const GROUP_SETTER = "group-setter"

/** Events that lead to the state before a case, in their order. */
export function toEarlierEvents({ persons = [], group_types: types = {}, groups = [] }: PipelineGiven): JsonObject[] {
  const byIndex = Object.entries(types).toSorted(([, a], [, b]) => a - b)
  return [
    ...persons.map(toPersonEvent),
    ...byIndex.map(([type]) => ({
      event: "seen",
      distinct_id: GROUP_SETTER,
      properties: { $groups: { [type]: "any" } },
    })),
    ...groups.map(({ type_index, key, properties }) => ({
      event: "$groupidentify",
      distinct_id: GROUP_SETTER,
      properties: { $group_type: byIndex[type_index]?.[0] ?? "", $group_key: key, $group_set: properties },
    })),
  ]
}

type Person = NonNullable<PipelineGiven["persons"]>[number]

function toPersonEvent({ distinct_ids: ids, properties: $set, is_identified: isIdentified, created_at }: Person) {
  const [first, second, ...others] = ids
  if (first === undefined || others.length > 0 || (second !== undefined && !isIdentified))
    throw new Error(`no event makes a person with these ids: ${ids.join(", ")}`)
  const timestamp = new Date(TIMES[created_at]).toISOString()
  const common = { distinct_id: first, timestamp }
  if (!isIdentified) return { ...common, event: "$set", properties: { $set } }
  const properties = { $set, $anon_distinct_id: second ?? `${first}${HELPER_ID_SUFFIX}` }
  return { ...common, event: "$identify", properties }
}
