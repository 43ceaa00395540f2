import { getMetadataStorage } from "type-graphql"

/** A resolver method that a scope decorator guards. */
export interface GuardedMethod {
  readonly target: unknown
  readonly methodName: string
  /** Null when every valid key will do. */
  readonly scope: string | null
  readonly guard: OperationGuard
  readonly isOpenToBoundKeys: boolean
}

/** What an operation works on: one project, one organization, or what the caller alone decides. */
export type OperationGuard = "project" | "organization" | "principal"

/**
 * What an operation demands of its caller. `isOpenToBoundKeys` tells whether it lets in keys that are bound to projects; those
 * on a project always do.
 */
export interface OperationScope {
  readonly kind: "query" | "mutation" | "subscription"
  /** Name of the field in the GraphQL schema. */
  readonly name: string
  /** Null when every valid key will do. */
  readonly scope: string | null
  readonly guard: OperationGuard
  readonly isOpenToBoundKeys: boolean
}

const guardedMethods: GuardedMethod[] = []

/** Records that a resolver method is guarded; called by the scope decorators while classes load. */
export function recordScope(method: GuardedMethod): void {
  guardedMethods.push(method)
}

/**
 * Lists each root operation of the loaded resolvers with the scope it demands, keyed `Query.me`. An operation of the
 * schema that is absent here is open to everybody, so a test compares this list with the schema.
 */
export function scopesByOperation(): ReadonlyMap<string, OperationScope> {
  const storage = getMetadataStorage()
  const found = new Map<string, OperationScope>()
  const kinds = [
    ["Query", "query", storage.queries],
    ["Mutation", "mutation", storage.mutations],
    ["Subscription", "subscription", storage.subscriptions],
  ] as const
  for (const [typeName, kind, fields] of kinds) {
    for (const field of fields) {
      const method = guardedMethods.find((one) => one.target === field.target && one.methodName === field.methodName)
      if (method === undefined) continue
      const { scope, guard, isOpenToBoundKeys } = method
      found.set(`${typeName}.${field.schemaName}`, { kind, name: field.schemaName, scope, guard, isOpenToBoundKeys })
    }
  }
  return found
}
