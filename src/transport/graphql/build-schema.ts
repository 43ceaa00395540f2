import "reflect-metadata"
import { createPubSub } from "@graphql-yoga/subscription"
import { GraphQLSchema } from "graphql"
import { buildSchema } from "type-graphql"
import { applyOneOfInputs } from "../../platform/graphql/one-of.js"
import { DateTimeScalar } from "../../platform/graphql/scalars.js"
import { ERROR_CODE } from "./error-codes.js"

type ResolverClass = new (...dependencies: never[]) => object

/**
 * Builds the schema from resolver instances; each keeps the dependencies its feature gave it.
 * Arguments are checked by the schema and by the use cases, so type-graphql's own validation is off.
 */
export async function buildGraphqlSchema(resolvers: readonly object[]): Promise<GraphQLSchema> {
  const instances = new Map<unknown, object>(resolvers.map((resolver) => [resolver.constructor, resolver]))
  const classes = resolvers.map((resolver) => resolver.constructor as ResolverClass)
  const schema = await buildSchema({
    resolvers: classes as [ResolverClass, ...ResolverClass[]],
    container: { get: (wanted) => instances.get(wanted) },
    validate: false,
    // type-graphql demands one as soon as there is a subscription; ours name their own source, so nothing uses it.
    pubSub: createPubSub(),
    scalarsMap: [{ type: Date, scalar: DateTimeScalar }],
  })
  const { types, ...config } = schema.toConfig()
  return applyOneOfInputs(new GraphQLSchema({ ...config, types: [...types, ERROR_CODE] }))
}
