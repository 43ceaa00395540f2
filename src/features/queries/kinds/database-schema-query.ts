import { schemaTables } from "../insights/schema-tables.js"
import type { QueryKind } from "../queries.types.js"

/** Kind `DatabaseSchemaQuery`: what can be asked (`reference/management.md` 7.8). */
export const createDatabaseSchemaQueryKind = (): QueryKind => ({
  kind: "DatabaseSchemaQuery",
  run: async () => ({ tables: schemaTables(), joins: [] }),
})
