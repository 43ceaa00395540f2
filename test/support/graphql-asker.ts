import { createPubSub } from "@graphql-yoga/subscription"
import { graphql } from "graphql"
import { buildSchema } from "type-graphql"
import { AppError } from "../../src/kernel/errors.js"
import { asProjectId, asUserId, type UserId } from "../../src/kernel/ids.js"
import type { Principal, RequestContext } from "../../src/kernel/request-context.js"
import { closedDoors } from "./closed-doors.js"

/** Who asks, with which scopes, about which project; user 1 with all scopes about project 1 when nothing is said. */
export interface Asking {
  readonly user?: UserId
  readonly scopes?: readonly string[]
  readonly project?: number
}

/**
 * Asks resolvers through GraphQL; keys are made up. An operation names its project as `$p`. `Data` is what the operations
 * of a test answer, by the names that they give it.
 */
export interface GraphqlAsker<Data> {
  /** Runs an operation that must succeed and returns its data. */
  data(source: string, variables?: object, asking?: Asking): Promise<Data>
  /** Code of the AppError that an operation must fail with. */
  fault(source: string, variables?: object, asking?: Asking): Promise<string>
}

/** Builds a schema of these resolvers alone and makes the asker of it. */
export async function createGraphqlAsker<Data>(resolvers: readonly object[]): Promise<GraphqlAsker<Data>> {
  const schema = await buildSchema({
    resolvers: resolvers.map((resolver) => resolver.constructor) as [new () => object],
    validate: false,
    // type-graphql demands one where there are subscriptions; ours name their own source.
    pubSub: createPubSub(),
    container: { get: (wanted) => resolvers.find((resolver) => resolver instanceof wanted) },
  })
  const run = (source: string, variables: object, asking: Asking) =>
    graphql({
      schema,
      source,
      variableValues: { p: String(asking.project ?? 1), ...variables },
      contextValue: contextOf(asking),
    })
  return {
    data: async (source, variables = {}, asking = {}) => {
      const { data, errors } = await run(source, variables, asking)
      if (errors?.[0] !== undefined) throw errors[0].originalError ?? errors[0]
      return data as Data
    },
    fault: async (source, variables = {}, asking = {}) => {
      const { errors } = await run(source, variables, asking)
      const [error] = errors ?? []
      return error?.originalError instanceof AppError ? error.originalError.code : `no fault: ${error}`
    },
  }
}

function contextOf({ user = asUserId(1), scopes = ["*"] }: Asking): RequestContext {
  const principal: Principal = { userId: user, keyId: "k", scopes, projectIds: null, organizationIds: null }
  const requireScope = (scope: string | null): void => {
    if (scope !== null && !scopes.includes("*") && !scopes.includes(scope))
      throw new AppError("permission_denied", { detail: `API key missing required scope '${scope}'` })
  }
  const loaders = new Map<unknown, unknown>()
  return {
    requestId: "test",
    clientIp: "127.0.0.1",
    senderIp: "127.0.0.1",
    baseUrl: "http://localhost",
    principal,
    authenticationFault: null,
    loader: (factory) => {
      if (!loaders.has(factory)) loaders.set(factory, factory())
      return loaders.get(factory) as ReturnType<typeof factory>
    },
    findResolver: () => {
      throw new Error("no subscriptions here")
    },
    access: {
      requireProject: async (_, rawProjectId, scope) => {
        requireScope(scope)
        return asProjectId(Number(rawProjectId))
      },
      requirePrincipal: async (_, scope) => {
        requireScope(scope)
        return principal
      },
      ...closedDoors,
    },
  }
}
