import { GraphQLObjectType, GraphQLSchema, getNullableType } from "graphql"
import { toOperationResolver, toSubscriber } from "./call-operation.js"
import { createRecordFinder } from "./find-record.js"
import type { Field, Fields, GraphRules } from "./graph-rules.js"
import { createTypeMapper, mapField, mapFields, type TypeMapper } from "./map-types.js"
import { listArguments, toGraphArgument } from "./record-arguments.js"
import { toChange } from "./shape-changes.js"
import { toEdges } from "./shape-edges.js"
import { createNodes, toLookUp, toRecordFields } from "./shape-records.js"

/**
 * Makes the graph that clients see of the operations that features declare (decision 0068): records with ids of their
 * own, edges between them, look-ups by any identifier, and changes with one input and one payload. Whatever a field
 * of the graph reads it reads by an operation, with all that this demands of the caller.
 * @throws Error for rules that the operations do not fit.
 */
export function shapeGraph(operations: GraphQLSchema, rules: GraphRules): GraphQLSchema {
  const queries: Fields = operations.getQueryType()?.toConfig().fields ?? {}
  const findRecord = createRecordFinder(queries, rules)
  const { Node, fields: nodes } = createNodes(findRecord, rules)
  const mapper: TypeMapper = createTypeMapper(operations, {
    replaced: rules.replacedTypes,
    toInterfaces: (type) => (rules.records[type] === undefined ? [] : [Node]),
    toFields: (type, fields) => {
      const rule = rules.records[type]
      const own = rule === undefined ? fields : toRecordFields(type, rule, fields)
      return { ...mapFields(own, mapper), ...toEdges(type, queries, rules, mapper) }
    },
  })
  const parts = { rules, mapper, findRecord }
  const query = mapValues(toShown("Query", queries, rules), (name, field) =>
    toNullable(toOperation(`Query.${name}`, field, rules, mapper)),
  )
  const changes = operations.getMutationType()?.toConfig().fields ?? {}
  const mutation = mapValues(toShown("Mutation", changes, rules), (name, field) => toChange(name, field, parts))
  const feeds = operations.getSubscriptionType()?.toConfig().fields ?? {}
  const subscription = mapValues(feeds, (name, field) => toOperation(`Subscription.${name}`, field, rules, mapper))
  return new GraphQLSchema({
    query: toRoot("Query", { ...query, ...toLookUps(queries, rules, mapper), ...nodes }),
    mutation: toRoot("Mutation", mutation),
    subscription: toRoot("Subscription", subscription),
    types: [
      ...Object.keys(rules.records).map((type) => mapper.findObject(type)),
      ...rules.keptTypes.flatMap((type) => operations.getType(type) ?? []),
    ],
  })
}

const mapValues = (fields: Fields, toField: (name: string, field: Field) => Field): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, toField(name, field)]))

/** The operations of a root type without those that are hidden. */
const toShown = (root: string, fields: Fields, { hiddenOperations }: GraphRules): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !hiddenOperations.includes(`${root}.${name}`)))

const toNullable = (field: Field): Field => ({ ...field, type: getNullableType(field.type) })

/** What root types are said to be. */
const ROOTS = {
  Query: "What can be read; each field demands a scope of the key.",
  Mutation: "What can be changed, one field after the other; each tells in its payload what came of it.",
  Subscription: "What is told as it happens, over a WebSocket or as server-sent events.",
}

const toRoot = (name: keyof typeof ROOTS, fields: Fields): GraphQLObjectType | null =>
  Object.keys(fields).length === 0 ? null : new GraphQLObjectType({ name, description: ROOTS[name], fields })

/** An operation whose arguments take ids of the graph. */
function toOperation(path: string, operation: Field, rules: GraphRules, mapper: TypeMapper): Field {
  const specs = listArguments(path, operation.args ?? {}, rules)
  const args = Object.fromEntries(specs.map((spec) => [spec.name, toGraphArgument(spec)]))
  const field = mapField({ ...operation, args }, mapper)
  return { ...field, resolve: toOperationResolver(operation, specs), ...toSubscriber(operation, specs) }
}

function toLookUps(queries: Fields, rules: GraphRules, mapper: TypeMapper): Fields {
  const withIdentifiers = Object.entries(rules.records).filter(([, rule]) => Object.keys(rule.identifiers).length > 0)
  return Object.fromEntries(
    withIdentifiers.map(([type, rule]) => {
      const operation = queries[rule.lookUp]
      if (operation === undefined) throw new Error(`there is no operation ${rule.lookUp} that finds a ${type}`)
      return [rule.lookUp, toLookUp(type, rule, operation, mapper.findObject(type), rules)]
    }),
  )
}
