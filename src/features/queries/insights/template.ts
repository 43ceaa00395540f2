import { LRUCache } from "lru-cache"
import { fillNodes, type NodeValues, parse, type Query } from "../../../hogql/index.js"

/** Enough for every template of every kind; the few that hold numbers of a query push each other out. */
const MAX_CACHED = 500
const trees = new LRUCache<string, Query>({ max: MAX_CACHED, memoMethod: (text) => parse(text) })

/** A query of ours as HogQL text, with nodes in the place of `{name}`. What a text means is remembered: trees never change. */
export const template = (text: string, values: NodeValues): Query => fillNodes(trees.memo(text), values)
