import { getMetadataStorage } from "type-graphql"
import type { OperationDemand } from "../../src/features/access/index.js"

/** What an operation demands of its caller, by the name of its field in the GraphQL schema. */
export interface OperationScope extends OperationDemand {
  readonly kind: "query" | "mutation" | "subscription"
  readonly name: string
}

/**
 * Lists each root operation of the loaded resolvers with what it demands, keyed `Query.me`. An operation of the schema that
 * is absent here is open to everybody, so tests compare this list with the schema.
 */
export function scopesByOperation(): ReadonlyMap<string, OperationScope> {
  const { queries, mutations, subscriptions, fieldExtensions } = getMetadataStorage()
  const found = new Map<string, OperationScope>()
  const kinds = [
    ["Query", "query", queries],
    ["Mutation", "mutation", mutations],
    ["Subscription", "subscription", subscriptions],
  ] as const
  for (const [typeName, kind, fields] of kinds) {
    for (const { target, methodName, schemaName: name } of fields) {
      const own = fieldExtensions.filter((one) => one.target === target && one.fieldName === methodName)
      const demand = own.find(({ extensions }) => "demand" in extensions)?.extensions.demand as
        | OperationDemand
        | undefined
      if (demand !== undefined) found.set(`${typeName}.${name}`, { kind, name, ...demand })
    }
  }
  return found
}
