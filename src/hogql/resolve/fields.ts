import { queryError } from "../hogql-error.js"
import type { Expression, Field, Span } from "../nodes/nodes.js"
import { column } from "../sql/sql.js"
import { unresolvedField } from "../suggest.js"
import { refuseUngrouped } from "./calls.js"
import { findCommon } from "./environment.js"
import { deeper, readProperty } from "./property.js"
import type { AliasEntry, SelectScope } from "./select-scope.js"
import type { Typed } from "./typed.js"

type ResolveIn = (node: Expression, scope: SelectScope) => Typed

/**
 * Finds what a name stands for, in this order: a lambda's argument, an alias of this SELECT, a column, a value of WITH.
 *
 * - In `a.b`, `a` is a table whenever a table is called so.
 * - An alias is not visible in its own expression, and one that holds an aggregate is not visible where aggregates are not
 *   allowed: in `SELECT max(timestamp) AS timestamp … WHERE timestamp > x` the WHERE means the column.
 */
export function resolveField(node: Field, scope: SelectScope, resolve: ResolveIn): Typed {
  const [first, ...rest] = node.chain
  const found = scope.findLambdaArg(first) ?? findAlias(node, scope, resolve)
  if (found !== undefined) return access(found, rest, node, scope)
  const fromTable = scope.findColumn(node.chain, node.at)
  if (fromTable !== null) return scope.clause === "where" ? fromTable : { ...fromTable, stored: undefined }
  const common = typeof first === "string" ? findCommon(scope.environment, "value", first) : undefined
  if (common !== undefined && common.item.kind === "commonValue") {
    const { environment } = scope
    scope.environment = common.outer
    scope.compilation.countExpansion(node.at)
    try {
      return access(resolve(common.item.expression, scope), rest, node, scope)
    } finally {
      scope.environment = environment
    }
  }
  const name = node.chain.join(".")
  if (first === "*" || rest.includes("*")) throw queryError("* is not possible here.", node.at)
  if (rest.length > 0) throw unresolvedField(name, [], node.at)
  throw unresolvedField(name, scope.knownNames(), node.at, isInQuotes(node.at, name) ? TEXT_QUOTES(name) : "")
}

/** Whether a name of one part is longer in the text than the name itself, by its two quotes. */
const isInQuotes = ({ start, end }: Span, name: string): boolean => end - start === name.length + 2

/** For who writes `event = "$pageview"`. */
const TEXT_QUOTES = (name: string): string => `A text stands in single quotes: '${name}'.`

function findAlias(node: Field, scope: SelectScope, resolve: ResolveIn): Typed | undefined {
  const first = node.chain[0]
  if (node.chain.length > 1 && scope.relations.some(({ name }) => name === first)) return undefined
  const entry = typeof first === "string" ? scope.aliases.get(first) : undefined
  if (entry === undefined || entry.state === "resolving" || scope.clause === "on") return undefined
  const typed = resolveAlias(entry, scope, resolve)
  // `person_id AS person … person.properties.x`: the alias has no parts, so the join is meant.
  if (node.chain.length > 1 && typed.property === undefined && hasColumn(node, scope)) return undefined
  const noAggregates = scope.aggregate !== null || scope.clause === "where" || scope.clause === "group"
  if (entry.holdsAggregate && noAggregates && hasColumn(node, scope)) return undefined
  if (entry.holdsAggregate && scope.aggregate === null)
    refuseUngrouped(`'${entry.node.name}' is an aggregation or a window function, which`, scope.clause, node.at)
  return { ...typed, sql: column(null, entry.sqlName) }
}

const hasColumn = (node: Field, scope: SelectScope): boolean =>
  scope.relations.some((relation) => relation.resolve(node.chain, node.at) !== null)

/** Resolves the expression an alias names, once. */
export function resolveAlias(entry: AliasEntry, scope: SelectScope, resolve: ResolveIn): Typed {
  if (entry.typed !== null) return entry.typed
  const { clause, aggregate, aggregatesSeen } = scope
  entry.state = "resolving"
  scope.clause = "columns"
  scope.aggregate = null
  try {
    entry.typed = resolve(entry.node.expression, scope)
  } finally {
    scope.clause = clause
    scope.aggregate = aggregate
  }
  entry.holdsAggregate = scope.aggregatesSeen > aggregatesSeen
  entry.state = "done"
  return entry.typed
}

function access(base: Typed, rest: readonly (string | number)[], node: Field, scope: SelectScope): Typed {
  if (rest.length === 0) return base
  if (base.property === undefined) throw queryError(`Unable to resolve field: ${node.chain.join(".")}`, node.at)
  return readProperty(
    rest.reduce((read, part) => deeper(read, part, node.at), base.property),
    scope.compilation.scope,
  )
}
