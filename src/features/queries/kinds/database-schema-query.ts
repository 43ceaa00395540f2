import { schemaTables } from "../insights/schema-tables.js"
import type { KindDefinition } from "./kind-definition.types.js"

/** Kind `DatabaseSchemaQuery`: what can be asked (`reference/management.md` 7.8). */
export const databaseSchemaQuery: KindDefinition = {
  kind: "DatabaseSchemaQuery",
  answer: async () => ({ tables: schemaTables(), joins: [] }),
}
