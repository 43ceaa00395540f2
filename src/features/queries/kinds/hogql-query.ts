import { AppError } from "../../../kernel/errors.js"
import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"
import { type CompiledQuery, compile, HogqlError, type HogqlQuery, type HogqlScope, QUERY_SETTINGS } from "../../../hogql/index.js"
import type { QueryEngine } from "../query-engine.types.js"
import type { QuerySchema, QuerySchemaReader } from "../query-schema.types.js"
import type { QueryAnswer, QueryKind, QueryObject, RunScope } from "../queries.types.js"

/** Kind `HogQLQuery`: a SELECT text, compiled and run (`reference/management.md` 7.2). */
export function createHogqlQueryKind(engine: QueryEngine, schemas: QuerySchemaReader): QueryKind {
  return {
    kind: "HogQLQuery",
    async run(query, scope) {
      const compiled = await compiledOrFault(toHogqlQuery(query), toHogqlScope(await schemas.read(scope.projectId), scope))
      const result = await engine.select({
        sql: compiled.sql,
        parameters: compiled.parameters,
        queryId: scope.engineQueryId,
        signal: scope.signal,
        settings: { ...QUERY_SETTINGS, max_execution_time: scope.maxExecutionSeconds },
      })
      return toAnswer(compiled, result.columns, result.rows, result.elapsedMs)
    },
  }
}

function toHogqlQuery(query: QueryObject): HogqlQuery {
  if (typeof query.query !== "string")
    throw new AppError("parse_error", {
      attr: "query",
      detail: "JSON parse error - 1 validation error(s) for QueryRequest: HogQLQuery.query must be a text.",
    })
  const { filters, values, variables } = query
  return {
    text: query.query,
    ...(isJsonObject(filters) && { filters }),
    ...(isJsonObject(values) && { values }),
    ...(isJsonObject(variables) && { variables }),
  }
}

function toHogqlScope(schema: QuerySchema, { projectId, timezone, weekStartDay, nowMs }: RunScope): HogqlScope {
  return {
    projectId,
    timezone,
    weekStartDay: weekStartDay === 1 ? "monday" : "sunday",
    propertyDefinitions: {
      event: schema.eventProperties,
      person: schema.personProperties,
      group: schema.groupProperties,
    },
    groupTypes: schema.groupTypes,
    nowMs,
  }
}

async function compiledOrFault(query: HogqlQuery, scope: HogqlScope): Promise<CompiledQuery> {
  try {
    return await compile(query, scope)
  } catch (failure) {
    if (!(failure instanceof HogqlError)) throw failure
    throw new AppError(failure.kind === "syntax" ? "hogql_syntax_error" : "hogql_query_error", {
      attr: "query",
      detail: failure.message,
      extra: { start: failure.start, end: failure.end },
      cause: failure,
    })
  }
}

function toAnswer(
  compiled: CompiledQuery,
  engineColumns: readonly { readonly type: string }[],
  rows: readonly (readonly Json[])[],
  elapsedMs: number,
): QueryAnswer {
  const { limit, offset, exact, columns, hogql, warnings } = compiled
  const answer: JsonObject = {
    results: (exact ? rows : rows.slice(0, limit)) as Json,
    columns: [...columns],
    types: columns.map((column, index) => [column, engineColumns[index]?.type ?? ""]),
    hogql,
    // The engine's own text would show how tables are stored.
    clickhouse: null,
    timings: [{ k: "./engine", t: elapsedMs / 1000 }],
    hasMore: !exact && rows.length > limit,
    limit,
    offset,
    warnings: [...warnings],
    modifiers: {},
    error: null,
    explain: null,
    metadata: null,
  }
  return answer
}
