import {
  isWhole,
  readFilter,
  type Stored,
  type StoredFilter,
  toNewFilter,
  toStored,
  writeFilter,
} from "../../../filters/stored-filter"

/** Conditions of which all have to hold, or one. */
export interface Group {
  readonly kind: "group"
  readonly type: "AND" | "OR"
  readonly nodes: readonly Node[]
}

/** A condition on a property of the person or on another cohort, on what the person did, or one that is not known. */
export type Leaf =
  | { readonly kind: "filter"; readonly filter: StoredFilter }
  | { readonly kind: "behaviour"; readonly leaf: Stored }
  | { readonly kind: "other"; readonly stored: unknown }

export type Node = Group | Leaf

export const NEW_GROUP: Group = { kind: "group", type: "AND", nodes: [] }
export const NEW_PROPERTY: Leaf = { kind: "filter", filter: toNewFilter("person") }
export const NEW_COHORT: Leaf = { kind: "filter", filter: toNewFilter("cohort") }

/** Whether the opposite of a condition is meant. */
export const isNegated = ({ negation }: Stored): boolean => negation === true

function readNode(value: unknown): Node {
  const stored = toStored(value)
  if (stored.type === "AND" || stored.type === "OR") {
    const values: readonly unknown[] = Array.isArray(stored.values) ? stored.values : []
    return { kind: "group", type: stored.type, nodes: values.map(readNode) }
  }
  if (stored.type === "behavioral") return { kind: "behaviour", leaf: stored }
  if (stored.type === "person" || stored.type === "cohort") return { kind: "filter", filter: readFilter(stored) }
  return { kind: "other", stored: value }
}

/** Reads the conditions of a cohort as the graph gives them whole. */
export function readTree(raw: unknown): Group {
  const node = readNode(toStored(raw).properties)
  return node.kind === "group" ? node : { ...NEW_GROUP, nodes: node.kind === "other" ? [] : [node] }
}

function writeNode(node: Node): unknown {
  switch (node.kind) {
    case "group":
      return { type: node.type, values: node.nodes.map(writeNode) }
    case "filter":
      return writeFilter(node.filter)
    case "behaviour":
      return node.leaf
    default:
      return node.stored
  }
}

/** Writes the conditions of a cohort as the graph takes them whole. */
export const writeTree = (tree: Group): Stored => ({ properties: writeNode(tree) })

/** Whether everything is chosen that conditions need, so that the server can understand them. */
export function isTreeWhole(node: Node): boolean {
  if (node.kind === "group") return node.nodes.every(isTreeWhole)
  if (node.kind === "filter") return isWhole(node.filter)
  if (node.kind === "other") return true
  const { key, value, seq_event: next } = node.leaf
  return String(key ?? "") !== "" && (value !== "performed_event_sequence" || String(next ?? "") !== "")
}

/** How a tree is kept while it is written. */
export const TREE_FORM = { read: readTree, write: writeTree }
