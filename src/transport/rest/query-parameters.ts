import type { QueryParameterDoc } from "../../kernel/direct-route.types.js"
import { INTEGER, type JsonSchema, TEXT } from "../../kernel/json-schema.js"
import { toCamelCase } from "./body-fields.js"
import { readText, readWindow } from "./read-query.js"
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

/** Query parameters of a row, as documented, and read into the variables of its operation. */
export interface QueryShape {
  readonly docs: readonly QueryParameterDoc[]
  /** @throws AppError naming the first parameter at fault. */
  read(request: RestRequest): Readonly<Record<string, unknown>>
}

/**
 * @param parameters by their names on the wire.
 * @param variable the one that they are fields of; they are variables themselves when absent.
 */
export function defineQuery(parameters: Readonly<Record<string, QueryParameter>>, variable?: string): QueryShape {
  const all = Object.entries(parameters)
  return {
    docs: all.map(([name, { description, schema = TEXT }]) => ({ name, description, schema })),
    read: ({ query, receivedAtMs }) => {
      const values = Object.fromEntries(
        all.map(([name, { as = toCamelCase(name), read = readText }]) => [as, read(query, name, receivedAtMs)]),
      )
      return variable === undefined ? values : { [variable]: values }
    },
  }
}

/** The parameters of several shapes, one after the other. */
export const joinQueries = (...shapes: readonly QueryShape[]): QueryShape => ({
  docs: shapes.flatMap(({ docs }) => docs),
  read: (request) => Object.assign({}, ...shapes.map(({ read }) => read(request))),
})

/** The parameters of every list, with the page that it shows when nothing is said. */
export const definePaging = (defaultLimit?: number): QueryShape => ({
  docs: [
    { name: "limit", description: "Results in the page; at most 1000. Unusable values are ignored.", schema: INTEGER },
    { name: "offset", description: "Results to skip. Unusable values are ignored.", schema: INTEGER },
  ],
  read: ({ query }) => ({ ...readWindow(query, defaultLimit).variables }),
})

export const PAGING = definePaging()
