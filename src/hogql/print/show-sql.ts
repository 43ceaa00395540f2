import type { CompiledQuery } from "../hogql.types.js"

const PLACEHOLDER = /\{(\w+):(?:String|Int64)\}/g

/** The SQL of a query with its parameters written in, for people to read. The engine gets them apart. */
export function showSql({ sql, parameters }: Pick<CompiledQuery, "sql" | "parameters">): string {
  return sql.replaceAll(PLACEHOLDER, (placeholder, name: string) => {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (value === undefined) return placeholder
    return typeof value === "number" ? String(value) : `'${value.replaceAll(/[\\']/g, "\\$&")}'`
  })
}
