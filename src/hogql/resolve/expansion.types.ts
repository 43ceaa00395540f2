import type { Call, Expression } from "../nodes/nodes.js"

/** Turns a call into an expression of other calls. */
export type Expansion = (node: Call) => Expression
