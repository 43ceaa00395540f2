import { type Expression, nodes } from "../../../hogql/index.js"
import type { PathCleaningRule } from "../queries.types.js"

const { call, constant } = nodes

/** A path in which what fits a rule is written as its alias, one rule after the other. */
export const cleanPath = (path: Expression, rules: readonly PathCleaningRule[]): Expression =>
  rules.reduce((text, { regex, alias }) => call("replaceRegexpAll", [text, constant(regex), constant(alias)]), path)
