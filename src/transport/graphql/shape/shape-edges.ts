import { getNullableType } from "graphql"
import { callOperation, orNull } from "./call-operation.js"
import type { GraphParts } from "./graph-parts.js"
import type { EdgeRule, Field, Fields } from "./graph-rules.js"
import { listArguments, readArguments, toGraphArgument } from "./record-arguments.js"

/**
 * Fields that lead from records of a type to others. Each may be null: where there is nothing at its end, and so that
 * an edge which the caller's key may not follow does not erase the record.
 */
export function toEdges(type: string, queries: Fields, { rules, mapper, places }: GraphParts): Fields {
  const own = Object.entries(rules.edges).filter(([path]) => path.startsWith(`${type}.`))
  return Object.fromEntries(
    own.map(([path, rule]) => [path.slice(type.length + 1), toEdge(path, rule, queries, { rules, mapper, places })]),
  )
}

function toEdge(path: string, rule: EdgeRule, queries: Fields, { rules, mapper, places }: GraphParts): Field {
  const operation = queries[rule.operation]
  if (operation === undefined) throw new Error(`${path} needs the operation ${rule.operation}`)
  const specs = listArguments(`Query.${rule.operation}`, operation.args ?? {}, rules, places).filter(
    ({ operationName }) => !(operationName in rule.takes),
  )
  return {
    type: getNullableType(mapper.toOutput(operation.type)),
    description: rule.description,
    extensions: operation.extensions,
    args: Object.fromEntries(
      specs.map((spec) => {
        const argument = toGraphArgument(spec)
        return [spec.name, { ...argument, type: mapper.toInput(argument.type) }]
      }),
    ),
    resolve: (record, given, context, info) =>
      orNull(async () => {
        const taken = Object.entries(rule.takes).map(([name, read]) => [name, read(record)])
        const { args } = readArguments(specs, given, places)
        const read = { args: { ...args, ...Object.fromEntries(taken) }, projectId: null }
        return callOperation(operation, {}, read, context, info)
      }),
  }
}
