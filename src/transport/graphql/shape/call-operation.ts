import type { GraphQLFieldResolver, GraphQLResolveInfo } from "graphql"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { RequestContext } from "../../../kernel/request-context.js"
import type { Field, Values } from "./graph-rules.js"
import { type GraphArgument, type ReadArguments, readArguments } from "./record-arguments.js"
import type { TypedPlaces } from "./typed-values.js"

/** Argument of operations on the data of a project. */
export const PROJECT_ARGUMENT = "projectId"

type Resolver = GraphQLFieldResolver<Values, RequestContext, Values>

/** Makes the resolver of a field that calls an operation with the arguments that it was given. */
export function toOperationResolver(operation: Field, specs: readonly GraphArgument[], places: TypedPlaces): Resolver {
  return (source, given, context, info) =>
    callOperation(operation, source, readArguments(specs, given, places), context, info)
}

/** The same for the source of a subscription; absent where the operation is none. */
export function toSubscriber(
  { subscribe }: Field,
  specs: readonly GraphArgument[],
  places: TypedPlaces,
): Pick<Field, "subscribe"> {
  if (subscribe === undefined) return {}
  return {
    subscribe: (source, given, context, info) => {
      const { args, context: bound } = completeArguments(specs, readArguments(specs, given, places), context)
      return subscribe(source, args, bound, info)
    },
  }
}

/** Calls an operation with documented arguments. */
export function callOperation(
  operation: Field,
  source: Values,
  read: ReadArguments,
  context: RequestContext,
  info: GraphQLResolveInfo,
): unknown {
  const specs = Object.entries(operation.args ?? {}).map(([operationName, config]) => ({ operationName, config }))
  const { args, context: bound } = completeArguments(specs, read, context)
  return operation.resolve?.(source, args, bound, info)
}

/** What a look-up answers, null for what there is not. @throws whatever else is thrown. */
export async function orNull(lookUp: () => Promise<unknown>): Promise<unknown> {
  try {
    return await lookUp()
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === "not_found") return null
    throw thrown
  }
}

/** Adds defaults and the project of the ids; a project that is named besides must be that one. */
function completeArguments(
  specs: readonly Pick<GraphArgument, "operationName" | "config">[],
  { args, projectId }: ReadArguments,
  context: RequestContext,
): { args: Values; context: RequestContext } {
  const complete: Record<string, unknown> = {}
  for (const { operationName, config } of specs)
    if (config.defaultValue !== undefined) complete[operationName] = config.defaultValue
  for (const [name, value] of Object.entries(args)) if (value !== null || !(name in complete)) complete[name] = value
  if (projectId === null) return { args: complete, context }
  if (args[PROJECT_ARGUMENT] == null) complete[PROJECT_ARGUMENT] = String(projectId)
  return { args: complete, context: requireSameProject(context, projectId) }
}

/** A context in which only this project is let in. */
function requireSameProject(context: RequestContext, projectId: number): RequestContext {
  const { access } = context
  const requireProject: RequestContext["access"]["requireProject"] = async (...asked): Promise<ProjectId> => {
    const named = await access.requireProject(...asked)
    if (named === projectId) return named
    const detail = "The id is of another project than the one that is named."
    throw new AppError("invalid_input", { attr: PROJECT_ARGUMENT, detail })
  }
  return { ...context, access: { ...access, requireProject } }
}
