import { parseSync } from "@swc/core"

/** A node of the syntax tree; its parts have the names that the parser gives them. */
export interface SyntaxNode {
  readonly type: string
  readonly [part: string]: unknown
}

type Visit = (node: SyntaxNode, parent: SyntaxNode) => void

/** Calls `visit` for every node of a TypeScript text, parents first. */
export function visitNodes(text: string, visit: Visit): void {
  const module = parseSync(text, { syntax: "typescript", decorators: true, target: "es2024" })
  visitBelow(module.body, module as unknown as SyntaxNode, visit)
}

function visitBelow(part: unknown, parent: SyntaxNode, visit: Visit): void {
  if (Array.isArray(part)) for (const item of part) visitBelow(item, parent, visit)
  else if (typeof part === "object" && part !== null) {
    const isNode = "type" in part && typeof part.type === "string"
    if (isNode) visit(part as SyntaxNode, parent)
    const owner = isNode ? (part as SyntaxNode) : parent
    for (const name in part) if (name !== "span") visitBelow((part as SyntaxNode)[name], owner, visit)
  }
}

/** The text of an identifier, or null for any other part. */
export function readIdentifier(part: unknown): string | null {
  const { type, value } = (part ?? {}) as Partial<SyntaxNode>
  return type === "Identifier" && typeof value === "string" ? value : null
}
