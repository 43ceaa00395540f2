import { GraphQLID, GraphQLInputObjectType, GraphQLInterfaceType, GraphQLList, GraphQLNonNull } from "graphql"
import { AppError } from "../../../kernel/errors.js"
import { callOperation, PROJECT_ARGUMENT } from "./call-operation.js"
import type { FindRecord } from "./find-record.js"
import { readGlobalId, toGlobalId } from "./global-id.js"
import type { GraphParts } from "./graph-parts.js"
import type { Field, Fields, GraphRules, RecordRule, Values } from "./graph-rules.js"
import { listArguments, toGraphArgument } from "./record-arguments.js"

/** Ids that `nodes` takes at once. */
const MAX_NODES = 100
const ID = { type: new GraphQLNonNull(GraphQLID), description: "Names the record among all of the graph." }

/** The interface of all records, and the fields of `Query` that find any of them by its id. */
export function createNodes(
  findRecord: FindRecord,
  { records }: GraphRules,
): { Node: GraphQLInterfaceType; fields: Fields } {
  const types = new WeakMap<Values, string>()
  const Node = new GraphQLInterfaceType({
    name: "Node",
    description: "A record with an id that is the same for no other record of any type or project.",
    fields: { id: ID },
    resolveType: (record: Values) => types.get(record),
  })
  const find = async (id: string, ...asked: Tail<Parameters<FindRecord>>): Promise<Values | null> => {
    const wanted = readGlobalId(id)
    if (wanted === null || records[wanted.type]?.isOfProject !== (wanted.projectId !== null)) return null
    const record = await findRecord(wanted, ...asked)
    if (record === null || records[wanted.type]?.toKey(record) !== wanted.key) return null
    types.set(record, wanted.type)
    return record
  }
  const node: Field = {
    type: Node,
    description: "A record of any type by its id; null when there is none, or none for the caller.",
    args: { id: ID },
    resolve: (_source, { id }, context, info) => find(String(id), context, info),
  }
  const nodes: Field = {
    type: new GraphQLList(Node),
    description: "Records of any types by their ids, in this order, with null for those that there are not.",
    args: { ids: { type: new GraphQLNonNull(new GraphQLList(ID.type)), description: `At most ${MAX_NODES} ids.` } },
    resolve: (_source, { ids }, context, info) => {
      const wanted = Array.isArray(ids) ? ids : []
      if (wanted.length > MAX_NODES)
        throw new AppError("invalid_input", { attr: "ids", detail: `Give at most ${MAX_NODES} ids.` })
      return wanted.map((id) => find(String(id), context, info))
    },
  }
  return { Node, fields: { node, nodes } }
}

type Tail<List extends readonly unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never

/** Fields of a record: what operations call `id` has its own name, and `id` is the one of the graph. */
export function toRecordFields(type: string, rule: RecordRule, { id: documented, ...fields }: Fields): Fields {
  const id: Field = {
    ...ID,
    resolve: (record) => {
      const projectId = rule.isOfProject ? Number(record.projectId) : null
      return toGlobalId({ type, projectId, key: rule.toKey(record) })
    },
  }
  if (rule.documented === null || documented === undefined || rule.documented in fields) return { id, ...fields }
  return { id, [rule.documented]: { ...documented, resolve: documented.resolve ?? (({ id: own }) => own) }, ...fields }
}

/** The field of `Query` that finds a record by any of its identifiers. */
export function toLookUp(
  type: string,
  rule: RecordRule,
  queries: Fields,
  { rules, mapper, places }: GraphParts,
): Field {
  const findOperation = (name: string): Field => {
    const found = queries[name]
    if (found === undefined) throw new Error(`there is no operation ${name} that finds a ${type}`)
    return found
  }
  const output = mapper.findObject(type)
  const operation = findOperation(rule.lookUp)
  const byIdentifier = new Map(
    Object.entries(rule.identifiers).map(([name, { lookUp = rule.lookUp }]) => [name, findOperation(lookUp)]),
  )
  const specs = listArguments(`Query.${rule.lookUp}`, operation.args ?? {}, rules, places)
  const project = specs.find(({ name }) => name === PROJECT_ARGUMENT)
  const hasDefault = specs.every(({ config }) => config.defaultValue !== undefined)
  const By = new GraphQLInputObjectType({
    name: `${type}By`,
    description: `Names a ${type} by one of its identifiers.`,
    isOneOf: true,
    fields: {
      id: { type: GraphQLID, description: "Its id in the graph." },
      ...rule.identifiers,
    },
  })
  const by = hasDefault
    ? { type: By, description: `Which one; the caller's current one when absent.` }
    : { type: new GraphQLNonNull(By), description: "Which one." }
  return {
    ...operation,
    type: output,
    args: { by, ...(project && { [PROJECT_ARGUMENT]: toGraphArgument(project) }) },
    resolve: (source, given, context, info) => {
      const { name, ...named } = readIdentifier(type, rule, given.by)
      const raw = given[PROJECT_ARGUMENT]
      const args = project && raw != null ? { ...named.args, [PROJECT_ARGUMENT]: readProject(String(raw)) } : named.args
      return callOperation(byIdentifier.get(name) ?? operation, source, { ...named, args }, context, info)
    },
  }
}

const readProject = (raw: string): string => {
  const id = readGlobalId(raw)
  return id?.type === "Project" ? id.key : raw
}

/** @throws AppError invalid_input for an id of the graph that is none of this type. */
function readIdentifier(
  type: string,
  rule: RecordRule,
  by: unknown,
): { name: string; args: Values; projectId: number | null } {
  const [name, value] = Object.entries(by ?? {})[0] ?? ["", null]
  if (name !== "id") return { name, args: rule.identifiers[name]?.toArguments(value) ?? {}, projectId: null }
  const id = readGlobalId(String(value))
  if (id === null || id.type !== type || rule.isOfProject !== (id.projectId !== null))
    throw new AppError("invalid_input", { attr: "by", detail: `by.id must be the id of a ${type} in the graph.` })
  return { name, args: rule.toArguments(id.key), projectId: id.projectId }
}
