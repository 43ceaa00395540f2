import { type GraphQLSchema, lexicographicSortSchema, printSchema } from "graphql"
import { buildGraphqlSchema } from "../transport/graphql/build-schema.js"
import { shapeGraph } from "../transport/graphql/shape/shape-graph.js"
import { GRAPH_RULES } from "./graph-rules.js"
import { RESOLVER_CLASSES } from "./resolver-classes.js"

/** What features declare, and what is made of it (decision 0068). */
export interface Schemas {
  /** Operations as the resolvers declare them. REST rows run these. */
  readonly operations: GraphQLSchema
  /** What GraphQL clients see. */
  readonly graph: GraphQLSchema
}

/**
 * The schemas of these resolvers.
 * @throws Error when one of the known classes has no instance: its fields would be missing without a word.
 */
export async function createSchemas(resolvers: readonly object[]): Promise<Schemas> {
  const missing = RESOLVER_CLASSES.filter((known) => !resolvers.some((resolver) => resolver instanceof known))
  if (missing.length > 0) throw new Error(`no instance of ${missing.map(({ name }) => name).join(", ")}`)
  const operations = await buildGraphqlSchema(resolvers)
  return { operations, graph: shapeGraph(operations, GRAPH_RULES) }
}

/** The schemas without anything behind them, for what needs no stores. */
export function describeSchemas(): Promise<Schemas> {
  return createSchemas(RESOLVER_CLASSES.map((known) => Object.create(known.prototype) as object))
}

/** The text of `schema.graphql`: the graph, sorted, so that a diff shows only what changed. */
export async function printedSchema(): Promise<string> {
  return `${printSchema(lexicographicSortSchema((await describeSchemas()).graph))}\n`
}
