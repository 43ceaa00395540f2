import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode, visit } from "graphql"
import { AppError } from "../../kernel/errors.js"
import type { GraphqlLimits } from "./graphql-limits.js"

/**
 * Refuses a parsed document whose shape alone makes it dear. Runs before validation, whose own rules compare fields
 * pairwise and would otherwise be the attack (`docs/contract/faults.md#graphql-limits`).
 * @throws AppError cost_limit naming the rule, the size and the limit.
 */
export function checkDocument(document: DocumentNode, limits: GraphqlLimits): void {
  checkCounts(document, limits)
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  const measure = createMeasure(fragments)
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    const extent = measure(definition.selectionSet)
    refuseAbove("root fields", extent.topFields, limits.maxRootFields)
    refuseAbove("fields with fragments expanded", extent.fields, limits.maxExpandedFields)
    refuseAbove("levels", extent.depth, limits.maxDepth)
    refuseAbove("levels of introspection", extent.introspectionDepth, limits.maxIntrospectionDepth)
  }
}

function checkCounts(document: DocumentNode, limits: GraphqlLimits): void {
  let aliases = 0
  let directives = 0
  let literalDepth = 0
  const deeper = () => refuseAbove("levels of nested literals", ++literalDepth, limits.maxLiteralDepth)
  const shallower = () => {
    literalDepth--
  }
  visit(document, {
    Field: (node) => {
      if (node.alias !== undefined) refuseAbove("aliases", ++aliases, limits.maxAliases)
    },
    Directive: () => refuseAbove("directives", ++directives, limits.maxDirectives),
    StringValue: ({ value }) => refuseNul(value),
    ListValue: { enter: deeper, leave: shallower },
    ObjectValue: { enter: deeper, leave: shallower },
    SelectionSet: (node) => checkRepeats(node, limits),
  })
}

/**
 * Refuses U+0000 in the document's own texts: there it is a mistake, and no store takes it. In variables it is
 * replaced.
 */
function refuseNul(text: string): void {
  if (text.includes("\u0000"))
    throw new AppError("invalid_input", {
      detail: "A text in the document has the character U+0000. No text may have it.",
    })
}

function checkRepeats(selectionSet: SelectionSetNode, limits: GraphqlLimits): void {
  const times = new Map<string, number>()
  for (const selection of selectionSet.selections) {
    if (selection.kind === Kind.INLINE_FRAGMENT) continue
    const name =
      selection.kind === Kind.FIELD ? (selection.alias ?? selection.name).value : `...${selection.name.value}`
    const count = (times.get(name) ?? 0) + 1
    times.set(name, count)
    refuseAbove("repeats of one field", count, limits.maxRepeatsOfOneField)
  }
}

interface Extent {
  readonly topFields: number
  readonly fields: number
  readonly depth: number
  readonly introspectionDepth: number
}

const NOTHING: Extent = { topFields: 0, fields: 0, depth: 0, introspectionDepth: 0 }

/** Each fragment is measured once, so a document of n tokens costs n steps however often its fragments double. */
function createMeasure(fragments: ReadonlyMap<string, FragmentDefinitionNode>): (set: SelectionSetNode) => Extent {
  const known = new Map<string, Extent>()
  const ofFragment = (name: string): Extent => {
    const before = known.get(name)
    const fragment = fragments.get(name)
    if (before !== undefined || fragment === undefined) return before ?? NOTHING
    // Stands for the fragment while it is measured: a cycle adds nothing here and is refused by validation.
    known.set(name, NOTHING)
    const extent = measure(fragment.selectionSet)
    known.set(name, extent)
    return extent
  }
  const ofSelection = (selection: SelectionSetNode["selections"][number]): Extent => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return ofFragment(selection.name.value)
    if (selection.kind === Kind.INLINE_FRAGMENT) return measure(selection.selectionSet)
    const inner = selection.selectionSet === undefined ? NOTHING : measure(selection.selectionSet)
    const depth = 1 + inner.depth
    const fields = 1 + inner.fields
    if (selection.name.value.startsWith("__")) return { topFields: 1, fields, depth: 1, introspectionDepth: depth }
    return { topFields: 1, fields, depth, introspectionDepth: inner.introspectionDepth }
  }
  const measure = (set: SelectionSetNode): Extent => set.selections.map(ofSelection).reduce(combine, NOTHING)
  return measure
}

const combine = (left: Extent, right: Extent): Extent => ({
  topFields: left.topFields + right.topFields,
  fields: left.fields + right.fields,
  depth: Math.max(left.depth, right.depth),
  introspectionDepth: Math.max(left.introspectionDepth, right.introspectionDepth),
})

function refuseAbove(rule: string, size: number, limit: number): void {
  if (size > limit)
    throw new AppError("cost_limit", {
      detail: `The document has more ${rule} than the ${limit} allowed.`,
      extra: { rule, limit },
    })
}
