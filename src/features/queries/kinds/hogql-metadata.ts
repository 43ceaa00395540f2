import { compile, compileSelect, HogqlError, type HogqlScope, nodes, parseExpression } from "../../../hogql/index.js"
import type { JsonObject } from "../../../kernel/json.js"
import type { QueryAnswer } from "../queries.types.js"
import type { KindDefinition } from "./kind-definition.types.js"

const { field, select, source } = nodes

const LANGUAGES = ["hogQL", "hogQLExpr"] as const

/** Kind `HogQLMetadata`: what is wrong with a text, without running it (`docs/contract/queries.md#schema-kinds`). */
export const hogqlMetadata: KindDefinition = {
  kind: "HogQLMetadata",
  async answer(reader, context) {
    const text = reader.requiredText("query")
    const language = reader.choice("language", LANGUAGES, "hogQL")
    const given = {
      filters: reader.object("filters").json,
      values: reader.object("globals").json,
      variables: reader.object("variables").json,
    }
    const scope = await context.hogqlScope()
    try {
      if (language === "hogQLExpr") return toMetadata(compileExpression(text, scope))
      const { tables, warnings } = await compile({ text, ...given }, scope)
      return toMetadata(tables, warnings)
    } catch (failure) {
      if (!(failure instanceof HogqlError)) throw failure
      return toMetadata([], [], [toNotice(failure.message, failure.start, failure.end || text.length)])
    }
  },
}

/** An expression is read as a column of events. */
function compileExpression(text: string, scope: HogqlScope): readonly string[] {
  const columns = [parseExpression(text)]
  return compileSelect(select({ columns, from: [source(field(["events"]))] }), scope).tables
}

function toMetadata(
  tables: readonly string[],
  warnings: readonly string[] = [],
  errors: JsonObject[] = [],
): QueryAnswer {
  return {
    isValid: errors.length === 0,
    errors,
    warnings: warnings.map((message) => toNotice(message, 0, 0)),
    notices: [],
    table_names: [...tables],
  }
}

const toNotice = (message: string, start: number, end: number): JsonObject => ({ message, start, end, fix: null })
