import { type GraphQLSchema, lexicographicSortSchema, printSchema } from "graphql"
import { buildGraphqlSchema } from "../transport/graphql/build-schema.js"
import { RESOLVER_CLASSES } from "./resolver-classes.js"

/**
 * The GraphQL schema of these resolvers.
 * @throws Error when one of the known classes has no instance: its fields would be missing without a word.
 */
export async function createSchema(resolvers: readonly object[]): Promise<GraphQLSchema> {
  const missing = RESOLVER_CLASSES.filter((known) => !resolvers.some((resolver) => resolver instanceof known))
  if (missing.length > 0) throw new Error(`no instance of ${missing.map(({ name }) => name).join(", ")}`)
  return buildGraphqlSchema(resolvers)
}

/** The text of `schema.graphql`: sorted, so that a diff shows only what changed. Needs no stores. */
export async function printedSchema(): Promise<string> {
  const withoutDependencies = RESOLVER_CLASSES.map((known) => Object.create(known.prototype) as object)
  return `${printSchema(lexicographicSortSchema(await createSchema(withoutDependencies)))}\n`
}
