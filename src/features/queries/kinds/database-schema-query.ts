import { FUNCTION_NAMES } from "../../../hogql/index.js"
import { schemaTables } from "../insights/schema-tables.js"
import type { KindDefinition } from "./kind-definition.types.js"

/** Kind `DatabaseSchemaQuery`: what can be asked (`docs/contract/queries.md#schema-kinds`). */
export const databaseSchemaQuery: KindDefinition = {
  kind: "DatabaseSchemaQuery",
  answer: async () => ({ tables: schemaTables(), joins: [], functions: [...FUNCTION_NAMES] }),
}
