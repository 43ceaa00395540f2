import type { HogqlScope } from "../hogql.types.js"
import { constant } from "../nodes/make.js"
import type { Call, Expression } from "../nodes/nodes.js"

/** Expresses a call by other calls. The new nodes get the place of the call in the text. */
export type Expansion = (node: Call, scope: HogqlScope) => Expression

/** Stands for a missing argument, to satisfy the types: calls with too few arguments have been refused before. */
export const MISSING: Expression = constant(null)
