import type { Expression } from "../nodes/nodes.js"
import { findFunction } from "./lookup.js"

/** Whether an expression aggregates rows itself, subqueries apart. */
export const hasAggregate = (expression: Expression): boolean => holdsAggregate(expression)

function holdsAggregate(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false
  if ("kind" in part && (part.kind === "select" || part.kind === "selectSet")) return false
  if ("kind" in part && part.kind === "call" && "name" in part && isAggregate(String(part.name))) return true
  return Object.values(part).some(holdsAggregate)
}

const isAggregate = (name: string): boolean => findFunction(name, false)?.isAggregate === true
