import { AppError } from "../../kernel/errors.js"
import { type Json, parseJson, toStorableText } from "../../kernel/json.js"
import { type OffsetWindow, toOffsetWindow } from "../../kernel/paging.js"
import { toTimeMs } from "../../kernel/time-text.js"
import { flag, integer } from "./body-fields.js"

const MAX_GRAPHQL_INT = 2_147_483_647

/** The window of a REST list and the variables that ask GraphQL for it. */
export interface ListWindow extends OffsetWindow {
  readonly variables: { readonly first: number; readonly offset: number }
}

/** Reads `limit` and `offset`, ignoring what is unusable. An offset beyond what GraphQL can write is past every end. */
export function readWindow(query: URLSearchParams, defaultLimit?: number): ListWindow {
  const { limit, offset } = toOffsetWindow(query.get("limit"), query.get("offset"), defaultLimit)
  return { limit, offset, variables: { first: limit, offset: Math.min(offset, MAX_GRAPHQL_INT) } }
}

/** Text of a query parameter, fit for every store; undefined when absent or empty. */
export function readText(query: URLSearchParams, name: string): string | undefined {
  const value = query.get(name)
  return value === null || value === "" ? undefined : toStorableText(value)
}

/** @throws AppError invalid_input naming the parameter when it is not a 32-bit whole number. */
export function readInteger(query: URLSearchParams, name: string): number | undefined {
  const value = readText(query, name)
  if (value === undefined) return undefined
  const number = integer(value, name)
  if (Math.abs(number) <= MAX_GRAPHQL_INT) return number
  throw new AppError("invalid_input", { attr: name, detail: "A valid integer is required." })
}

/** @throws AppError invalid_input naming the parameter. */
export function readFlag(query: URLSearchParams, name: string): boolean | undefined {
  const value = readText(query, name)
  return value === undefined ? undefined : flag(value, name)
}

/** A parameter that is JSON; undefined when absent. @throws AppError invalid_input naming the parameter. */
export function readJson(query: URLSearchParams, name: string, detail = "This is not JSON."): Json | undefined {
  const value = readText(query, name)
  if (value === undefined) return undefined
  try {
    return parseJson(value)
  } catch {
    throw new AppError("invalid_input", { attr: name, detail })
  }
}

/**
 * Reads an ISO 8601 time or a relative one such as `-7d` (see `toTimeMs`) into ISO 8601 UTC.
 * @throws AppError invalid_input naming the parameter.
 */
export function readTime(query: URLSearchParams, name: string, receivedAtMs: number): string | undefined {
  const value = readText(query, name)
  if (value === undefined) return undefined
  const timeMs = toTimeMs(value, receivedAtMs)
  if (timeMs !== null) return new Date(timeMs).toISOString()
  throw new AppError("invalid_input", {
    attr: name,
    detail: "Write an ISO 8601 time or a relative one such as -7d.",
  })
}
