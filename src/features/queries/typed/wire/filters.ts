import { AppError } from "../../../../kernel/errors.js"
import type { Json, JsonObject } from "../../../../kernel/json.js"
import type {
  BreakdownInput,
  BreakdownPropertyInput,
  ComparisonInput,
  PropertyConditionInput,
  PropertyFilterInput,
  QueryDatesInput,
} from "../inputs/filters.graphql.js"
import type { FlagConditionInput } from "../inputs/source-filters.graphql.js"

/** A value of an input; null and absent are the same. */
type Given = Json | undefined

/** An object of the wire: fields without a value are left out, so that equal queries have equal cache keys. */
export const toObject = (fields: Readonly<Record<string, Given>>): JsonObject =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value == null ? [] : [[name, value]])))

/** The same, or undefined when nothing is left. */
export function toGiven(fields: Readonly<Record<string, Given>>): JsonObject | undefined {
  const given = toObject(fields)
  return Object.keys(given).length === 0 ? undefined : given
}

/**
 * Property filters as a wire's `properties`; undefined without any.
 * @throws AppError invalid_input for a condition on a flag that gives both or neither of state and variant.
 */
export const toProperties = (filters: readonly PropertyFilterInput[] | null | undefined): JsonObject[] | undefined =>
  filters == null || filters.length === 0 ? undefined : filters.map(toFilter)

function toFlagCondition({ key, isOn, variant }: FlagConditionInput): JsonObject {
  if ((isOn == null) === (variant == null))
    throw new AppError("invalid_input", { attr: "isOn", detail: "Give either isOn or variant." })
  return { type: "flag", key, operator: "flag_evaluates_to", value: variant ?? isOn ?? null }
}

/** One filter: `@oneOf` has seen to it that one field is given. */
function toFilter(filter: PropertyFilterInput): JsonObject {
  const { event, person, group, session, element, metadata, cohort, flag, recording, hogql, all, any } = filter
  if (event != null) return toCondition("event", event)
  if (person != null) return toCondition("person", person)
  if (group != null) return { ...toCondition("group", group), group_type_index: group.groupTypeIndex }
  if (session != null) return toCondition("session", session)
  if (element != null) return toCondition("element", element)
  if (metadata != null) return toCondition("event_metadata", metadata)
  if (cohort != null)
    return { type: "cohort", key: "id", value: cohort.id, operator: cohort.isOutside ? "not_in" : "in" }
  if (flag != null) return toFlagCondition(flag)
  if (recording != null) return toCondition("recording", recording)
  if (hogql != null) return { type: "hogql", key: hogql }
  return any == null ? { type: "AND", values: (all ?? []).map(toFilter) } : { type: "OR", values: any.map(toFilter) }
}

const toCondition = (type: string, { key, operator, value }: PropertyConditionInput): JsonObject =>
  toObject({ type, key, operator, value })

/** A wire's `dateRange`. */
export const toDates = (dates: QueryDatesInput | null | undefined): JsonObject | undefined =>
  dates == null ? undefined : toGiven({ date_from: dates.from, date_to: dates.to, explicitDate: dates.isExact })

/** A wire's `compareFilter`. */
export const toComparison = (compare: ComparisonInput | null | undefined): JsonObject | undefined =>
  compare == null ? undefined : toObject({ compare: true, compare_to: compare.to })

/** A wire's `breakdownFilter`: one property has a form of its own, which every insight knows. */
export function toBreakdown(breakdown: BreakdownInput | null | undefined): JsonObject | undefined {
  if (breakdown == null) return undefined
  const { properties, cohorts, limit, hidesOther, cleansPaths } = breakdown
  const rest = {
    breakdown_limit: limit,
    breakdown_hide_other_aggregation: hidesOther,
    breakdown_path_cleaning: cleansPaths,
  }
  if (cohorts != null) return toObject({ breakdown: cohorts, breakdown_type: "cohort", ...rest })
  const [only, ...others] = properties ?? []
  if (only === undefined || others.length > 0)
    return toObject({ breakdowns: properties?.map(toBreakdownItem), ...rest })
  return toObject({
    breakdown: only.key,
    breakdown_type: only.type,
    breakdown_group_type_index: only.groupTypeIndex,
    breakdown_histogram_bin_count: only.binCount,
    breakdown_normalize_url: only.normalizesUrl,
    ...rest,
  })
}

const toBreakdownItem = (item: BreakdownPropertyInput): JsonObject =>
  toObject({
    property: item.key,
    type: item.type,
    group_type_index: item.groupTypeIndex,
    histogram_bin_count: item.binCount,
    normalize_url: item.normalizesUrl,
  })

/** Values of a breakdown as a query for persons names them; "" is no value. */
export function toBreakdownValue(values: readonly (string | null)[] | null | undefined): Json | undefined {
  const named = values?.map((value) => value ?? "")
  return named?.length === 1 ? named[0] : named
}
