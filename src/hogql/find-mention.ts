import { findFunction } from "./functions/lookup.js"
import { ARITHMETIC_FUNCTIONS, type Expression, type Query, type Span } from "./nodes/nodes.js"
import { COMPARISONS } from "./resolve/compare.js"

/** Something that an error of the engine names: a function by the engine's name, a column by its parts, a text. */
export interface Mention {
  readonly kind: "function" | "column" | "text"
  readonly name: string
}

/**
 * Where in its text a query has what an error speaks of: the first of the mentions that it has. A function that is called
 * several times could be meant anywhere from the first call to the last. The whole query where it has none of them; null
 * for a query that a program built, which has no text.
 */
export function findMention(query: Query, mentions: readonly Mention[]): Span | null {
  if (query.at.end === 0) return null
  for (const mention of mentions) {
    const [first, ...others] = listMentioned(query, mention)
    if (first === undefined) continue
    if (mention.kind !== "function") return first
    return { start: first.start, end: Math.max(first.end, ...others.map(({ end }) => end)) }
  }
  return query.at
}

/** Places of the nodes that are meant, in the order of the text. */
function listMentioned(query: Query, mention: Mention): Span[] {
  const found: Span[] = []
  const search = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return
    if (isNode(part) && part.at.end > 0 && isMentioned(part, mention)) found.push(part.at)
    for (const [key, value] of Object.entries(part)) if (key !== "at") search(value)
  }
  search(query)
  return found.sort((one, other) => one.start - other.start)
}

const isNode = (part: object): part is Expression => "kind" in part && "at" in part

function isMentioned(node: Expression, { kind, name }: Mention): boolean {
  if (kind === "text") return node.kind === "constant" && node.value === name
  if (kind === "function") return engineFunction(node) === name
  if (node.kind !== "field") return false
  const [, ...behindTable] = node.chain
  return [node.chain, behindTable].some((chain) => `${chain.join(".")}.`.startsWith(`${name}.`))
}

/** What the engine calls the function that a node is printed as; undefined for other nodes. */
function engineFunction(node: Expression): string | undefined {
  switch (node.kind) {
    case "call":
    case "windowCall":
      return findFunction(node.name, true)?.engine
    case "arithmetic":
      return ARITHMETIC_FUNCTIONS[node.operator]
    case "compare":
      return COMPARISONS.get(node.operator)?.engine
    case "element":
      return "arrayElement"
    case "tupleAccess":
      return "tupleElement"
    case "and":
    case "or":
    case "not":
      return node.kind
    default:
      return undefined
  }
}
