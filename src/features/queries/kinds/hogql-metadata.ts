import { compile, compileSelect, HogqlError, type HogqlScope, nodes, parseExpression } from "../../../hogql/index.js"
import type { JsonObject } from "../../../kernel/json.js"
import { QueryReader } from "../insights/query-reader.js"
import type { QueryAnswer, QueryKind } from "../queries.types.js"
import type { HogqlRunner } from "./hogql-runner.js"

const { field, select, source } = nodes

const LANGUAGES = ["hogQL", "hogQLExpr"] as const

/** Kind `HogQLMetadata`: what is wrong with a text, without running it (`reference/management.md` 7.8). */
export function createHogqlMetadataKind(runner: HogqlRunner): QueryKind {
  return {
    kind: "HogQLMetadata",
    async run(query, run) {
      const reader = new QueryReader(query, "HogQLMetadata")
      const text = reader.requiredText("query")
      const language = reader.choice("language", LANGUAGES, "hogQL")
      const given = {
        filters: reader.object("filters").json,
        values: reader.object("globals").json,
        variables: reader.object("variables").json,
      }
      const scope = await runner.scopeOf(run)
      try {
        if (language === "hogQLExpr") return metadata(await compileExpression(text, scope))
        const { tables, warnings } = await compile({ text, ...given }, scope)
        return metadata(tables, warnings)
      } catch (failure) {
        if (!(failure instanceof HogqlError)) throw failure
        return metadata([], [], [notice(failure.message, failure.start, failure.end || text.length)])
      }
    },
  }
}

/** An expression is read as a column of events. */
async function compileExpression(text: string, scope: HogqlScope): Promise<readonly string[]> {
  const columns = [await parseExpression(text)]
  return compileSelect(select({ columns, from: [source(field(["events"]))] }), scope).tables
}

function metadata(tables: readonly string[], warnings: readonly string[] = [], errors: JsonObject[] = []): QueryAnswer {
  return {
    isValid: errors.length === 0,
    errors,
    warnings: warnings.map((message) => notice(message, 0, 0)),
    notices: [],
    table_names: [...tables],
  }
}

const notice = (message: string, start: number, end: number): JsonObject => ({ message, start, end, fix: null })
