import { nodes, parseExpression, parseOrder, type Select } from "../../../hogql/index.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import { filterCondition, joinWithAnd, joinWithOr, toContainsPattern } from "../insights/property-conditions.js"
import type { QueryReader } from "../insights/query-reader.js"
import { nameColumns } from "../insights/shown-columns.js"
import { toTableAnswer } from "./answer.js"
import type { KindDefinition } from "./kind-definition.types.js"
import { readPage } from "./read-page.js"

const { alias, call, compare, constant, field, order, select, source } = nodes

const GIVEN_COLUMNS = ["group_name", "key"]

/**
 * Kind `GroupsQuery`: the groups of a type, with their names and keys first (`docs/contract/queries.md#groupsquery`).
 */
export const groupsQuery: KindDefinition = {
  kind: "GroupsQuery",
  async answer(reader, context) {
    const asked = (reader.strings("select", { max: 200 }) ?? []).filter((name) => !GIVEN_COLUMNS.includes(name))
    const result = await context.select(selectGroups(reader, asked), { isShown: true })
    return toTableAnswer(result, result.rows, [...GIVEN_COLUMNS, ...asked], { kind: "GroupsQuery" })
  },
}

const groupName = call("ifNull", [call("toString", [field(["properties", "name"])]), field(["key"])])

function selectGroups(reader: QueryReader, asked: readonly string[]): Select {
  const type = reader.integer("group_type_index", { min: 0, max: 4 })
  if (type === null) throw reader.fault("group_type_index", "is required and must be a number from 0 to 4")
  const search = reader.text("search")?.trim() ?? ""
  const pattern = constant(toContainsPattern(search))
  const written = (reader.strings("orderBy", { max: 50 }) ?? []).map(parseOrder)
  const { limit, offset } = readPage(reader, { defaultLimit: 100, maxLimit: 10_000 })
  return select({
    columns: [
      alias("group_name", groupName),
      alias("group_key", field(["key"])),
      ...nameColumns(asked.map(parseExpression)),
    ],
    from: [source(field(["groups"]))],
    where: joinWithAnd([
      compare("==", field(["index"]), constant(type)),
      search === ""
        ? null
        : joinWithOr([compare("ilike", groupName, pattern), compare("ilike", field(["key"]), pattern)]),
      filterCondition(toOwnFilters(reader.value("properties")), "groups"),
    ]),
    orderBy: [...(written.length > 0 ? written : [order(field(["created_at"]), true)]), order(field(["key"]))],
    limit: constant(limit),
    offset: constant(offset),
  })
}

/** Filters of insights name a group's properties as `group`; on this table they are its own. */
function toOwnFilters(filters: Json): Json {
  if (Array.isArray(filters)) return filters.map(toOwnFilters)
  if (!isJsonObject(filters)) return filters
  if (Array.isArray(filters.values)) return { ...filters, values: filters.values.map(toOwnFilters) }
  return filters.type === "group" ? { ...filters, type: "event" } : filters
}
