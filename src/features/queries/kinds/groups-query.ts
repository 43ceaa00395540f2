import { nodes, parseExpression, parseOrder } from "../../../hogql/index.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import { allOf, anyOf, filterCondition } from "../insights/property-conditions.js"
import { orQueryFault } from "../insights/query-fault.js"
import { QueryReader } from "../insights/query-reader.js"
import type { QueryKind } from "../queries.types.js"
import { tableAnswerOf } from "./answer.js"
import type { HogqlRunner } from "./hogql-runner.js"

const { alias, call, compare, constant, field, order, select, source } = nodes

const DEFAULT_LIMIT = 100
const MAX_ROWS = 10_000

/** Kind `GroupsQuery`: the groups of a type, with their names and keys first (`reference/management.md` 7.8). */
export function createGroupsQueryKind(runner: HogqlRunner): QueryKind {
  return {
    kind: "GroupsQuery",
    async run(query, run) {
      const reader = new QueryReader(query, "GroupsQuery")
      const names = ["group_name", "key", ...(reader.texts("select", { max: 200 }) ?? []).filter(isOwn)]
      const ast = await orQueryFault(() => groupsSelect(reader, names))
      const result = await runner.runNodes(ast, run, { isShown: true })
      const rows = result.rows.map((row) => [...row])
      return tableAnswerOf(result, rows, names, { kind: "GroupsQuery" })
    },
  }
}

const isOwn = (name: string): boolean => name !== "group_name" && name !== "key"
const name = call("ifNull", [call("toString", [field(["properties", "name"])]), field(["key"])])

async function groupsSelect(reader: QueryReader, names: readonly string[]) {
  const type = reader.integer("group_type_index", { min: 0, max: 4 })
  if (type === null) throw reader.fault("group_type_index", "is required and must be a number from 0 to 4")
  const search = reader.text("search")?.trim() ?? ""
  const pattern = constant(`%${search.replace(/[\\%_]/g, "\\$&")}%`)
  const written = await Promise.all((reader.texts("orderBy", { max: 50 }) ?? []).map(parseOrder))
  const own = await Promise.all(names.slice(2).map(parseExpression))
  return select({
    columns: [
      alias("group_name", name),
      alias("group_key", field(["key"])),
      ...own.map((item, index) => (item.kind === "alias" ? item : alias(`column_${index}`, item))),
    ],
    from: [source(field(["groups"]))],
    where: allOf([
      compare("==", field(["index"]), constant(type)),
      search === "" ? null : anyOf([compare("ilike", name, pattern), compare("ilike", field(["key"]), pattern)]),
      await filterCondition(ofGroups(reader.value("properties")), "groups"),
    ]),
    orderBy: [...(written.length > 0 ? written : [order(field(["created_at"]), true)]), order(field(["key"]))],
    limit: constant(reader.integer("limit", { min: 1, max: MAX_ROWS }) ?? DEFAULT_LIMIT),
    offset: constant(reader.integer("offset", { min: 0 }) ?? 0),
  })
}

/** Filters of insights name a group's properties as `group`; on this table they are its own. */
function ofGroups(filters: Json): Json {
  if (Array.isArray(filters)) return filters.map(ofGroups)
  if (!isJsonObject(filters)) return filters
  if (Array.isArray(filters.values)) return { ...filters, values: filters.values.map(ofGroups) }
  return filters.type === "group" ? { ...filters, type: "event" } : filters
}
