import { fillNodes, type NodeValues, parse, type Query } from "../../../hogql/index.js"

/** A query of ours as HogQL text, with nodes in the place of `{name}`. */
export const template = async (text: string, values: NodeValues): Promise<Query> => fillNodes(await parse(text), values)
