import { LRUCache } from "lru-cache"
import { fillNodes, type NodeValues, parse, type Query } from "../../../hogql/index.js"

/** Enough for all templates; the few whose text holds numbers of a query replace each other. */
const MAX_CACHED = 500
const trees = new LRUCache<string, Query>({ max: MAX_CACHED, memoMethod: (text) => parse(text) })

/** A query written as HogQL text with nodes in the place of `{name}`. Parsed texts are cached, as nodes never change. */
export const template = (text: string, values: NodeValues): Query => fillNodes(trees.memo(text), values)
