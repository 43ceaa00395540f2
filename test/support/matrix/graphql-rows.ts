import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from "graphql"
import { GRAPH_RULES } from "../../../src/app/graph-rules.js"
import { ERRORS } from "../../../src/kernel/errors.js"
import { scopesByOperation } from "../operation-scopes.js"
import { hostileValuesOf } from "./hostile-values.js"
import { newText } from "./json-schema-sample.js"
import type { MatrixRow } from "./matrix-row.js"
import { idFor, type RecordIds, UNKNOWN_IDS } from "./planted-records.js"

const MAX_SELECTION_DEPTH = 3
const PAGE_SIZE = 20
const isOfPageSize = (argument: string): boolean => argument.startsWith("first: ")
/** Arguments that name records. Those that name people by their own ids, and projects, are none. */
const NAMES_RECORDS =
  /^(?:.*(?:short|config|recording|playlist|person|flag|cohort|query|session)_?ids?|ids?|flag|number|uuid)$/i
/** What look-ups take besides ids of the graph, first what planted records are named by. */
const IDENTIFIERS: readonly string[] = ["shortId", "number", "uuid", "sessionId", "named", "name"]
/** Their argument `id` is the playlist's. */
const CHANGES_PLAYLIST = /^(?:at|de)tach/

interface Operation {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

interface GraphqlAnswer {
  readonly data?: unknown
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
}

type Kind = "Query" | "Mutation" | "Subscription"

const rootFields = (schema: GraphQLSchema, kind: Kind): GraphQLField<unknown, unknown>[] =>
  Object.values((schema.getType(kind) as GraphQLObjectType).getFields())

/** A row of the matrix for every guarded root field of queries and mutations. */
export function graphqlRows(schema: GraphQLSchema): MatrixRow[] {
  return (["Query", "Mutation"] as const).flatMap((kind) =>
    rootFields(schema, kind).flatMap((field) => {
      const demand = scopesByOperation().get(`${kind}.${field.name}`)
      if (demand === undefined) return []
      const row: MatrixRow = {
        name: `${kind}.${field.name}`,
        scope: demand.scope,
        isOfProject: demand.guard === "project",
        isOfOrganization: demand.guard === "organization",
        isOpenToBoundKeys: demand.isOpenToBoundKeys,
        isWriting: kind === "Mutation",
        ask: async (caller, project, ids) => {
          const { body } = await caller.post<GraphqlAnswer>("/graphql", toOperation(kind, field, project, ids))
          const [error] = body.errors ?? []
          const code = error?.extensions.code ?? ""
          const fault = error === undefined ? null : { status: statusOf(code), code, detail: error.message }
          return { fault, text: JSON.stringify(body) }
        },
      }
      return [row]
    }),
  )
}

/** Root fields without a guard. */
export function openFields(schema: GraphQLSchema): string[] {
  return (["Query", "Mutation", "Subscription"] as const).flatMap((kind) =>
    rootFields(schema, kind)
      .map(({ name }) => `${kind}.${name}`)
      .filter((name) => !scopesByOperation().has(name)),
  )
}

/** Every subscription about project 1, with the scope it demands. */
export function subscriptions(
  schema: GraphQLSchema,
  ids: RecordIds,
): { name: string; scope: string; operation: Operation }[] {
  return rootFields(schema, "Subscription").map((field) => ({
    name: field.name,
    scope: scopesByOperation().get(`Subscription.${field.name}`)?.scope ?? "none",
    operation: toOperation("Subscription", field, 1, ids),
  }))
}

/** One hostile value in one place of an otherwise good operation. */
export interface HostileOperation extends Operation {
  readonly place: string
  readonly value: unknown
}

/** For every argument of every query and mutation, and every field of its inputs: hostile values in it, one at a time. */
export function hostileOperations(schema: GraphQLSchema, project: number, ids: RecordIds): HostileOperation[] {
  return (["Query", "Mutation"] as const).flatMap((kind) =>
    rootFields(schema, kind).flatMap((field) =>
      field.args
        .filter(({ name }) => name !== "projectId")
        .flatMap((argument) => {
          const { query, variables } = toOperation(kind, field, project, ids, argument)
          const place = `${kind}.${field.name}(${argument.name})`
          return hostileVariants(argument.type, variables[argument.name])
            .filter(({ path }) => path !== ".projectId")
            .map(({ path, value, whole }) => ({
              place: place + path,
              value,
              query,
              variables: { ...variables, [argument.name]: whole },
            }))
        }),
    ),
  )
}

interface Variant {
  /** Where inside the argument the value stands. */
  readonly path: string
  readonly value: unknown
  /** The argument with the value in it. */
  readonly whole: unknown
}

function hostileVariants(type: GraphQLInputType, good: unknown, depth = 2, isOfMany = false): Variant[] {
  if (isNonNullType(type)) return hostileVariants(type.ofType, good, depth).filter(({ whole }) => whole !== null)
  if (isListType(type)) {
    const [first] = Array.isArray(good) ? good : [sampleOf(type.ofType)]
    const inner = hostileVariants(type.ofType, first, depth)
    return inner.map((variant) => ({ ...variant, path: `[]${variant.path}`, whole: [variant.whole] }))
  }
  if (isInputObjectType(type)) {
    if (depth === 0) return []
    const base = (good ?? sampleOf(type)) as Readonly<Record<string, unknown>>
    // What is one of many has only its required fields tried, or there would be no end of it.
    const fields = Object.values(type.getFields()).filter((field) => !isOfMany || isRequiredInputField(field))
    return fields.flatMap((inner) =>
      hostileVariants(inner.type, base[inner.name], depth - 1, type.isOneOf).map((variant) => ({
        ...variant,
        path: `.${inner.name}${variant.path}`,
        whole: type.isOneOf ? { [inner.name]: variant.whole } : { ...base, [inner.name]: variant.whole },
      })),
    )
  }
  const values = isEnumType(type) ? [null] : hostileValuesOf(type.name)
  return values.map((value) => ({ path: "", value, whole: value }))
}

const statusOf = (code: string): number =>
  Object.values(ERRORS).find(({ graphqlCode }) => graphqlCode === code)?.status ?? 400

/** An operation that asks for one root field with all that it requires, and reads all it can. */
function toOperation(
  kind: Kind,
  field: GraphQLField<unknown, unknown>,
  project: number,
  ids: RecordIds,
  wanted?: GraphQLArgument,
): Operation {
  const isUsed = (argument: GraphQLArgument): boolean =>
    argument === wanted ||
    argument.name === "projectId" ||
    argument.name === "by" ||
    argument.name === "input" ||
    isRequiredArgument(argument) ||
    (wanted === undefined && NAMES_RECORDS.test(argument.name))
  const used = field.args.filter(isUsed)
  const declared = used.map(({ name, type }) => `$${name}: ${type}`)
  const passed = used.map(({ name }) => `${name}: $${name}`)
  // All that can be selected of a whole page may cost more than an operation is allowed to.
  if (wanted === undefined && field.args.some(({ name }) => name === "first") && !passed.some(isOfPageSize))
    passed.push(`first: ${PAGE_SIZE}`)
  const variables = Object.fromEntries(used.map((argument) => [argument.name, valueFor(argument, field, project, ids)]))
  const brackets = (items: string[]) => (items.length === 0 ? "" : `(${items.join(", ")})`)
  const query = `${kind.toLowerCase()} ${brackets(declared)} { ${field.name}${brackets(passed)} ${selectionOf(field.type)} }`
  return { query, variables }
}

function valueFor(
  argument: Pick<GraphQLArgument, "name" | "type">,
  field: GraphQLField<unknown, unknown>,
  project: number,
  ids: RecordIds,
): unknown {
  if (argument.name === "projectId") return String(project)
  if (IDENTIFIERS.includes(argument.name) && field.name === "project") return project
  if (argument.name === "userId") return UNKNOWN_IDS.cohort
  if (field.name === "eventDefinition" && argument.name === "name") return ids.event
  const type = isNonNullType(argument.type) ? argument.type.ofType : argument.type
  if (isInputObjectType(type) && (argument.name === "by" || (argument.name === "input" && !type.isOneOf)))
    return Object.fromEntries(
      listUsed(type).map((inner) => [inner.name, valueFor(inner, field, project, ids)] as const),
    )
  if (!NAMES_RECORDS.test(argument.name)) return sampleOf(argument.type)
  const id = idFor(ids, argument.name, CHANGES_PLAYLIST.test(field.name) ? "playlist" : field.name)
  const isNumber = getNamedType(argument.type).name === "Int"
  const value = isNumber ? Number(/^\d+$/.test(id) ? id : UNKNOWN_IDS.cohort) : id
  return isListType(isNonNullType(argument.type) ? argument.type.ofType : argument.type) ? [value] : value
}

/** Fields of a mutation's input that are needed or name records; of a look-up the one documented identifier. */
function listUsed(type: GraphQLInputObjectType): GraphQLInputField[] {
  const fields = Object.values(type.getFields())
  if (type.isOneOf) return IDENTIFIERS.flatMap((name) => fields.filter((field) => field.name === name)).slice(0, 1)
  return fields.filter((one) => one.name === "projectId" || isRequiredInputField(one) || NAMES_RECORDS.test(one.name))
}

/** A value of an input type; of an object, the required fields only, and a plain one where exactly one is due. */
function sampleOf(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return sampleOf(type.ofType)
  // No scope is a fault of the input; with any, whether the key may hand it out would be asked as well.
  if (isListType(type)) return getNamedType(type).name === "Scope" ? [] : [sampleOf(type.ofType)]
  if (isEnumType(type)) return type.getValues()[0]?.name
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields())
    const plain = type.isOneOf ? fields.find((field) => isLeafType(getNamedType(field.type))) : undefined
    return Object.fromEntries(
      fields
        .filter((field) => field === plain || isRequiredInputField(field))
        .map(({ name, type: inner }) => [name, sampleOf(inner)]),
    )
  }
  return SCALARS[type.name] ?? newText()
}

/** Numbers are of nothing that exists. */
const SCALARS: Readonly<Record<string, unknown>> = {
  Int: 999_999,
  Float: 1,
  Boolean: false,
  ID: UNKNOWN_IDS.person,
  JSON: {},
  DateTimeISO: "2024-03-01T00:00:00Z",
}

/** Every leaf that needs no arguments, three objects deep. */
function selectionOf(type: GraphQLOutputType, depth = MAX_SELECTION_DEPTH): string {
  const named: GraphQLNamedType = getNamedType(type)
  if (isAbstractType(named)) return "{ __typename }"
  if (!isObjectType(named)) return ""
  const fields = Object.values(named.getFields()).filter(
    // Edges lead to records that demand scopes of their own.
    ({ name, args }) => !args.some(isRequiredArgument) && !(`${named.name}.${name}` in GRAPH_RULES.edges),
  )
  const leaves = fields.filter((field) => isLeafType(getNamedType(field.type))).map(({ name }) => name)
  const objects = depth === 0 ? [] : fields.filter((field) => isObjectType(getNamedType(field.type)))
  const nested = objects
    .map((field) => `${field.name} ${selectionOf(field.type, depth - 1)}`)
    .filter((text) => text.includes("{"))
  return `{ ${[...leaves, ...nested].join(" ") || "__typename"} }`
}
