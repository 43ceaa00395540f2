import type { PathCleaningRule } from "../hogql.types.js"
import { call, constant } from "../nodes/make.js"
import type { Expression } from "../nodes/nodes.js"

/**
 * A path in which what fits a rule is written as its alias, one rule after the other
 * (`docs/contract/queries.md#path-cleaning`).
 */
export const cleanPath = (path: Expression, rules: readonly PathCleaningRule[]): Expression =>
  rules.reduce((text, { regex, alias }) => call("replaceRegexpAll", [text, constant(regex), constant(alias)]), path)
