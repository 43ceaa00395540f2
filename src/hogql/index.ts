/** HogQL to ClickHouse SQL. Pure: no store, no clock; the project, its schema and the time are passed in. */
export { compile, compileSelect } from "./compile.js"
export { findMention, type Mention } from "./find-mention.js"
export { hasAggregate } from "./functions/has-aggregate.js"
export { FUNCTION_NAMES } from "./functions/lookup.js"
export type {
  ActionDefinition,
  CohortDefinition,
  CompiledQuery,
  HogqlQuery,
  HogqlScope,
  PathCleaningRule,
  PropertyType,
} from "./hogql.types.js"
export { HogqlError } from "./hogql-error.js"
export * as nodes from "./nodes/make.js"
export type * from "./nodes/nodes.js"
export { sameText } from "./nodes/same-text.js"
export { parse, parseExpression, parseOrder } from "./parse/parse.js"
export { actionCondition } from "./placeholders/action-condition.js"
export { behaviourCondition } from "./placeholders/behaviour-condition.js"
export { dateBound } from "./placeholders/dates.js"
export { fillNodes, type NodeValues } from "./placeholders/fill-nodes.js"
export { cleanPath } from "./placeholders/path-cleaning.js"
export { propertyCondition } from "./placeholders/property-filters.js"
export { showSql } from "./print/show-sql.js"
export { QUERY_SETTINGS } from "./query-settings.js"
export type { TableDefinition } from "./schema/schema.js"
export { TABLES } from "./schema/tables.js"
