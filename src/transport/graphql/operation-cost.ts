import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from "graphql"
import { DEFAULT_PAGE_SIZE } from "../../kernel/paging.js"

const SCALAR_COST = 0.1
const OBJECT_COST = 1
/** What a list counts as that is read whole: nobody knows how long it is. */
const ITEMS_OF_WHOLE_LIST = 10
const PAGE_SIZE_ARGUMENTS = ["first", "last", "limit"]
/** Each of these is looked up by itself (`Query.nodes`). */
const IDS_ARGUMENT = "ids"

/** An operation whose cost is wanted. */
export interface CostedOperation {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly variables: Readonly<Record<string, unknown>>
  /** Points of single fields, keyed `Query.query`; a field may also carry `extensions.cost`. */
  readonly fieldCosts: Readonly<Record<string, number>>
}

/** Points of a selection: once, and once more for each item of the page around it. */
interface Cost {
  readonly fixed: number
  readonly perItem: number
}

/**
 * What an operation may cost at most, known before it runs: 1 point an object, 0.1 a scalar, the items of a connection
 * times its page size (100, or a field's `extensions.pageSize`, when none is given), and a set price for fields that
 * read a store, with 10 items for a list that is read whole. Exact to a tenth of a point. Expects a validated document.
 */
export function operationCost(costed: CostedOperation): number {
  const rootType = costed.schema.getRootType(costed.operation.operation)
  if (!rootType) return 0
  const cost = createCostCalculator(costed)(costed.operation.selectionSet, rootType)
  return Math.round((cost.fixed + cost.perItem) * 10) / 10
}

function createCostCalculator({ schema, document, operation, variables: given, fieldCosts }: CostedOperation) {
  const variables = { ...readDefaults(operation), ...given }
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  const known = new Map<string, Cost>()

  const ofType = (name: string | undefined, fallback: GraphQLCompositeType): GraphQLCompositeType => {
    const type = name === undefined ? undefined : schema.getType(name)
    return isCompositeType(type) ? type : fallback
  }
  const ofFragment = (name: string, parent: GraphQLCompositeType): Cost => {
    const before = known.get(name)
    const fragment = fragments.get(name)
    if (before !== undefined || fragment === undefined) return before ?? { fixed: 0, perItem: 0 }
    const cost = ofSelections(fragment.selectionSet, ofType(fragment.typeCondition.name.value, parent))
    known.set(name, cost)
    return cost
  }
  const ofField = (node: FieldNode, parent: GraphQLCompositeType): Cost => {
    const field = findField(schema, parent, node.name.value)
    if (field === undefined) return { fixed: SCALAR_COST, perItem: 0 }
    const type = getNamedType(field.type)
    const price = findPrice(field, parent, fieldCosts)
    const own = price ?? (isCompositeType(type) ? OBJECT_COST : SCALAR_COST)
    const inner = node.selectionSet && isCompositeType(type) ? ofSelections(node.selectionSet, type) : NOTHING
    const wanted = price === undefined ? null : countIds(node, variables)
    if (wanted !== null) return { fixed: (own + inner.fixed + inner.perItem) * wanted, perItem: 0 }
    // A list that is read by itself is none of the items of the page around it.
    if (price !== undefined && isList(field) && !isPaged(field))
      return { fixed: price + (inner.fixed + inner.perItem) * ITEMS_OF_WHOLE_LIST, perItem: 0 }
    const total = own + inner.fixed + inner.perItem * pageSize(node, field, variables)
    return isList(field) ? { fixed: 0, perItem: total } : { fixed: total, perItem: 0 }
  }
  const ofSelections = (set: SelectionSetNode, parent: GraphQLCompositeType): Cost => {
    let fixed = 0
    let perItem = 0
    for (const selection of set.selections) {
      const cost =
        selection.kind === Kind.FIELD
          ? ofField(selection, parent)
          : selection.kind === Kind.FRAGMENT_SPREAD
            ? ofFragment(selection.name.value, parent)
            : ofSelections(selection.selectionSet, ofType(selection.typeCondition?.name.value, parent))
      fixed += cost.fixed
      perItem += cost.perItem
    }
    return { fixed, perItem }
  }
  return ofSelections
}

/** Whole-number defaults of the operation's variables, the only ones a page size can have. */
function readDefaults({ variableDefinitions }: OperationDefinitionNode): Record<string, unknown> {
  const withNumbers = (variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue?.kind === Kind.INT ? [[variable.name.value, defaultValue.value]] : [],
  )
  return Object.fromEntries(withNumbers)
}

const NOTHING: Cost = { fixed: 0, perItem: 0 }

type AnyField = GraphQLField<unknown, unknown>

function findField(schema: GraphQLSchema, parent: GraphQLCompositeType, name: string): AnyField | undefined {
  if (parent === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef
  }
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined
}

function findPrice(field: AnyField, parent: GraphQLCompositeType, prices: CostedOperation["fieldCosts"]) {
  const declared = field.extensions.cost
  return typeof declared === "number" ? declared : prices[`${parent.name}.${field.name}`]
}

const isList = (field: AnyField): boolean => isListType(isNonNullType(field.type) ? field.type.ofType : field.type)

const isPaged = (field: AnyField): boolean => field.args.some((argument) => PAGE_SIZE_ARGUMENTS.includes(argument.name))

/** How many ids a field was given; null for a field that takes none. */
function countIds(node: FieldNode, variables: CostedOperation["variables"]): number | null {
  const given = node.arguments?.find(({ name }) => name.value === IDS_ARGUMENT)?.value
  if (given === undefined) return null
  if (given.kind === Kind.LIST) return given.values.length
  const ids = given.kind === Kind.VARIABLE ? variables[given.name.value] : null
  return Array.isArray(ids) ? ids.length : 1
}

function pageSize(node: FieldNode, field: AnyField, variables: CostedOperation["variables"]): number {
  if (!isPaged(field)) return 1
  const sizes = (node.arguments ?? []).flatMap(({ name, value }) => {
    if (!PAGE_SIZE_ARGUMENTS.includes(name.value)) return []
    const given = value.kind === Kind.VARIABLE ? variables[value.name.value] : "value" in value ? value.value : null
    const size = Number(given ?? Number.NaN)
    return Number.isFinite(size) ? [size] : []
  })
  if (sizes.length > 0) return Math.max(1, ...sizes)
  const declared = field.extensions.pageSize
  return typeof declared === "number" ? declared : DEFAULT_PAGE_SIZE
}
