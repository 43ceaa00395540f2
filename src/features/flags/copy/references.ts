import { readCohortId } from "../../../flag-engine/index.js"
import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"

/** What a definition, or a cohort's tree, names of its own project by number. */
export interface References {
  readonly cohortIds: ReadonlySet<number>
  /** Flags by what the filter holds: the number as text, or the key. */
  readonly flags: ReadonlySet<string>
  readonly groupTypeIndexes: ReadonlySet<number>
}

/** How the same things are named in another project. */
export interface ReferenceMap {
  readonly cohortIds: ReadonlyMap<number, number>
  readonly flags: ReadonlyMap<string, string>
  readonly groupTypeIndexes: ReadonlyMap<number, number>
}

const GROUP_TYPE_FIELDS = new Set(["aggregation_group_type_index", "group_type_index"])
/** Payloads are the clients' own data; nothing in them names anything here. */
const OPAQUE_FIELD = "payloads"

/** Finds everything that a definition or a tree names, at any depth. */
export function findReferences(tree: Json): References {
  const found = { cohortIds: new Set<number>(), flags: new Set<string>(), groupTypeIndexes: new Set<number>() }
  const pending: Json[] = [tree]
  for (const node of pending) {
    if (Array.isArray(node)) for (const one of node) pending.push(one)
    if (!isJsonObject(node)) continue
    const cohortId = node.type === "cohort" ? readCohortId(node.value) : null
    if (cohortId !== null) found.cohortIds.add(cohortId)
    if (node.type === "flag") found.flags.add(String(node.key))
    for (const [field, value] of Object.entries(node)) {
      if (GROUP_TYPE_FIELDS.has(field) && typeof value === "number") found.groupTypeIndexes.add(value)
      else if (field !== OPAQUE_FIELD) pending.push(value)
    }
  }
  return found
}

/** The same definition or tree with the names of another project; what the map does not hold stays as it is. */
export function withReferences<Tree extends Json>(tree: Tree, map: ReferenceMap): Tree {
  return rename(tree, map) as Tree
}

function rename(node: Json, map: ReferenceMap): Json {
  if (Array.isArray(node)) return node.map((one) => rename(one, map))
  if (!isJsonObject(node)) return node
  const renamed: JsonObject = {}
  for (const [field, value] of Object.entries(node)) {
    if (field === OPAQUE_FIELD) renamed[field] = value
    else if (GROUP_TYPE_FIELDS.has(field) && typeof value === "number")
      renamed[field] = map.groupTypeIndexes.get(value) ?? value
    else renamed[field] = rename(value, map)
  }
  if (node.type === "cohort")
    renamed.value = map.cohortIds.get(readCohortId(node.value) ?? Number.NaN) ?? node.value ?? null
  if (node.type === "flag") renamed.key = map.flags.get(String(node.key)) ?? node.key ?? null
  return renamed
}
