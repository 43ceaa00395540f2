import { syntaxError } from "../hogql-error.js"
import type { Span } from "../nodes/nodes.js"

/** How deep a tree may be: operators without brackets (`1 + 1 + …`) nest too, and what comes after recurses. */
const MAX_TREE_DEPTH = 400

/** Throws HogqlError for a tree that is too deep. */
export function checkDepth(part: object, depth = 0, around?: Span): void {
  const at = "kind" in part && "at" in part ? (part.at as Span) : undefined
  const inner = at === undefined ? depth : depth + 1
  if (inner > MAX_TREE_DEPTH) throw syntaxError("The query is too deeply nested.", at ?? around)
  for (const value of Object.values(part)) {
    if (typeof value === "object" && value !== null) checkDepth(value, inner, at ?? around)
  }
}
