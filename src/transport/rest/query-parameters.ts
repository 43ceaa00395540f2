import type { QueryParameterDoc } from "../../kernel/direct-route.types.js"
import { type JsonSchema, TEXT } from "../../kernel/json-schema.js"
import { toCamelCase } from "./body-fields.js"
import { readText } from "./read-query.js"
import type { RestRequest } from "./rest-route.types.js"

/** A query parameter: how it is documented and how it is read. */
interface QueryParameter {
  readonly description: string
  /** Of text when absent. */
  readonly schema?: JsonSchema
  /** What it is called inside; its name on the wire in camel case when absent. */
  readonly as?: string
  /** Undefined when it is not given. As text when absent. @throws AppError naming the parameter. */
  readonly read?: (query: URLSearchParams, name: string, receivedAtMs: number) => unknown
}

/** The query parameters of a row, all of it made of one list. */
export interface QueryShape {
  readonly docs: readonly QueryParameterDoc[]
  /** Reads them by their inner names. @throws AppError naming the first parameter at fault. */
  read(request: RestRequest): Readonly<Record<string, unknown>>
}

/** @param parameters by their names on the wire. */
export function defineQuery(parameters: Readonly<Record<string, QueryParameter>>): QueryShape {
  const all = Object.entries(parameters)
  return {
    docs: all.map(([name, { description, schema = TEXT }]) => ({ name, description, schema })),
    read: ({ query, receivedAtMs }) =>
      Object.fromEntries(
        all.map(([name, { as = toCamelCase(name), read = readText }]) => [as, read(query, name, receivedAtMs)]),
      ),
  }
}
