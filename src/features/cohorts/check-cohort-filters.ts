import { behaviourCondition } from "../../hogql/index.js"
import { AppError } from "../../kernel/errors.js"
import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.js"
import type { Cohort } from "./cohorts.types.js"

const MAX_DEPTH = 20
const LEAF_TYPES = new Set(["person", "cohort", "behavioral"])
const NOWHERE = { start: 0, end: 0 }

type Path = readonly (string | number)[]

/**
 * Checks operator and value of a leaf that flags know as those who decide by it understand them.
 * @throws AppError invalid_input.
 */
export type CheckLeaf = (leaf: JsonObject, path: Path) => void

/**
 * Checks the tree of a dynamic cohort as it is saved.
 * @param others the project's other cohorts, to which the tree may refer.
 * @param ownId id of the cohort itself; null for a new one.
 * @throws AppError invalid_input naming the field.
 */
export function checkCohortFilters(
  filters: Json,
  others: readonly Cohort[],
  ownId: number | null,
  checkLeaf: CheckLeaf,
): void {
  if (!isJsonObject(filters)) throw refuse(["filters"], "must be an object")
  if (filters.properties === undefined) throw refuse(["filters", "properties"], "must be a group of conditions")
  checkNode(filters.properties, ["filters", "properties"], 0, checkLeaf)
  const byId = new Map(others.map((cohort) => [cohort.id, cohort]))
  const reached = new Set<number>()
  const pending = listCohortIds(filters.properties)
  for (const id of pending)
    if (id !== ownId && !byId.has(id)) throw refuse(["filters"], `must not refer to cohort ${id}, which does not exist`)
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (id === ownId) throw refuse(["filters"], "must not lead back to the cohort itself")
    if (reached.has(id)) continue
    reached.add(id)
    pending.push(...listCohortIds(byId.get(id)?.filters ?? null))
  }
}

/** The other cohorts whose trees name a cohort directly. */
export const findCohortsNaming = (id: number, others: readonly Cohort[]): Cohort[] =>
  others.filter((other) => other.id !== id && listCohortIds(other.filters).includes(id))

/** Ids of the actions that a tree names, whether they exist or not. */
export function listActionIds(tree: Json): number[] {
  if (Array.isArray(tree)) return tree.flatMap(listActionIds)
  if (!isJsonObject(tree)) return []
  const { type, event_type: eventType, key, seq_event_type: nextType, seq_event: next } = tree
  if (type !== "behavioral") return Object.values(tree).flatMap(listActionIds)
  return [...(eventType === "actions" ? [Number(key)] : []), ...(nextType === "actions" ? [Number(next)] : [])]
}

/** Ids of the cohorts that a tree names, at any depth. */
function listCohortIds(tree: Json): number[] {
  if (Array.isArray(tree)) return tree.flatMap(listCohortIds)
  if (!isJsonObject(tree)) return []
  if (tree.type === "cohort") return [Number(tree.value)]
  return Object.values(tree).flatMap(listCohortIds)
}

function checkNode(node: Json, path: Path, depth: number, checkLeaf: CheckLeaf): void {
  if (depth > MAX_DEPTH) throw refuse(path, `must not be nested deeper than ${MAX_DEPTH} levels`)
  if (!isJsonObject(node)) throw refuse(path, "must be an object")
  if (node.type === "AND" || node.type === "OR") {
    if (!Array.isArray(node.values)) throw refuse([...path, "values"], "must be a list")
    node.values.forEach((value, index) => {
      checkNode(value, [...path, "values", index], depth + 1, checkLeaf)
    })
    return
  }
  if (typeof node.type !== "string" || !LEAF_TYPES.has(node.type))
    throw refuse([...path, "type"], "must be AND, OR, person, cohort or behavioral")
  if (node.type === "behavioral") {
    // As queries read it; nobody is searched for yet.
    behaviourCondition(node, NOWHERE, {}, (field, rule) => refuse([...path, field], rule))
    return
  }
  if (typeof node.key !== "string" || node.key === "") throw refuse([...path, "key"], "must be text")
  if (node.type === "cohort" && !/^\d{1,9}$/.test(String(node.value)))
    throw refuse([...path, "value"], "must be the id of a cohort")
  checkLeaf(node, path)
}

const refuse = (path: Path, rule: string): AppError =>
  new AppError("invalid_input", { attr: path.join("__"), detail: `${path.join(".")} ${rule}.` })
