import {
  GraphQLObjectType,
  GraphQLSchema,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isObjectType,
  isOutputType,
} from "graphql"
import { toOperationResolver, toSubscriber } from "./call-operation.js"
import { createRecordFinder } from "./find-record.js"
import type { GraphParts } from "./graph-parts.js"
import type { Field, Fields, GraphRules, TypedPlace, TypeFinder } from "./graph-rules.js"
import { createTypeMapper, mapField, mapFields, type TypeMapper } from "./map-types.js"
import { listArguments, toGraphArgument } from "./record-arguments.js"
import { toChange } from "./shape-changes.js"
import { toEdges } from "./shape-edges.js"
import type { PayloadParts } from "./shape-payloads.js"
import { createNodes, toLookUp, toRecordFields } from "./shape-records.js"
import { toTypedField, toTypedInput } from "./typed-values.js"

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
  const places: Map<string, TypedPlace> = new Map()
  const mapper: TypeMapper = createTypeMapper(operations, {
    replaced: rules.replacedTypes,
    toInterfaces: (type) => (rules.records[type] === undefined ? [] : [Node]),
    toFields: (type, fields) => {
      const record = rules.sameRecords[type] ?? type
      const rule = rules.records[record]
      const own = rule === undefined ? fields : toRecordFields(record, rule, fields)
      const typed = mapValues(mapFields(own, mapper), (name, field) =>
        toTypedField(field, places.get(`${type}.${name}`)),
      )
      return { ...typed, ...toEdges(type, queries, parts) }
    },
    toInputField: (type, name, own) => toTypedInput(own, places.get(`${type}.${name}`)),
  })
  const parts: PayloadParts = { rules, mapper, places, findRecord }
  for (const [path, place] of Object.entries(rules.typedPlaces(toTypeFinder(mapper)))) {
    if (!hasPlace(operations, path)) throw new Error(`the operations have no ${path}`)
    places.set(path, place)
  }
  const query = mapValues(toShown("Query", queries, rules), (name, field) =>
    toNullable(toOperation(`Query.${name}`, field, parts)),
  )
  const changes = operations.getMutationType()?.toConfig().fields ?? {}
  const mutation = mapValues(toShown("Mutation", changes, rules), (name, field) => toChange(name, field, parts))
  const feeds = operations.getSubscriptionType()?.toConfig().fields ?? {}
  const subscription = mapValues(feeds, (name, field) => toOperation(`Subscription.${name}`, field, parts))
  return new GraphQLSchema({
    query: toRoot("Query", { ...query, ...toLookUps(queries, parts), ...nodes }),
    mutation: toRoot("Mutation", mutation),
    subscription: toRoot("Subscription", subscription),
    types: Object.keys(rules.records).map((type) => mapper.findObject(type)),
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
function toOperation(path: string, operation: Field, { rules, mapper, places }: GraphParts): Field {
  const specs = listArguments(path, operation.args ?? {}, rules, places)
  const args = Object.fromEntries(specs.map((spec) => [spec.name, toGraphArgument(spec)]))
  const field = mapField({ ...operation, args }, mapper)
  const resolve = toOperationResolver(operation, specs, places)
  return { ...field, resolve, ...toSubscriber(operation, specs, places) }
}

function toLookUps(queries: Fields, parts: GraphParts): Fields {
  const { rules } = parts
  const withIdentifiers = Object.entries(rules.records).filter(([, rule]) => Object.keys(rule.identifiers).length > 0)
  return Object.fromEntries(withIdentifiers.map(([type, rule]) => [rule.lookUp, toLookUp(type, rule, queries, parts)]))
}

/** Whether there is a field of this path, or an argument of one. */
function hasPlace(operations: GraphQLSchema, path: string): boolean {
  const [type = "", name = "", argument] = path.split(".")
  const found = operations.getType(type)
  const field = isObjectType(found) || isInputObjectType(found) ? found.getFields()[name] : undefined
  if (argument === undefined || field === undefined) return field !== undefined
  return "args" in field && field.args.some((one) => one.name === argument)
}

/** Types that rules name; they are made when they are first asked for. */
const toTypeFinder = (mapper: TypeMapper): TypeFinder => ({
  output: (name) => {
    const type = mapper.find(name)
    if (isOutputType(type)) return type
    throw new Error(`${name} is no type of values that are shown`)
  },
  input: (name) => {
    const type = mapper.find(name)
    if (isInputType(type)) return type
    throw new Error(`${name} is no type of values that are given`)
  },
  enum: (name) => {
    const type = mapper.find(name)
    if (isEnumType(type)) return type
    throw new Error(`${name} is no enum`)
  },
})
