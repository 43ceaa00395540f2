import { constant } from "../nodes/make.js"
import type { Call, Expression } from "../nodes/nodes.js"

/** Turns a call into an expression of other calls. Nodes that it makes are placed where the call stands. */
export type Expansion = (node: Call) => Expression

/** Stands for an argument that is not there, which the check of arities has refused before. */
export const MISSING: Expression = constant(null)
