import { fillNodes, type NodeValues, parse, type Query } from "../../../hogql/index.js"

/** Enough for every template of every kind; the few that hold numbers of a query push each other out. */
const MAX_REMEMBERED = 500
const parsed = new Map<string, Query>()

/** A query of ours as HogQL text, with nodes in the place of `{name}`. What a text means is remembered: trees never change. */
export const template = async (text: string, values: NodeValues): Promise<Query> => fillNodes(treeOf(text), values)

function treeOf(text: string): Query {
  const known = parsed.get(text)
  if (known !== undefined) return known
  const tree = parse(text)
  if (parsed.size >= MAX_REMEMBERED) parsed.clear()
  parsed.set(text, tree)
  return tree
}
