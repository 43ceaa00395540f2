import { AppError } from "../../kernel/errors.js"
import { toStorableText } from "../../kernel/json.js"
import { type OffsetWindow, toOffsetWindow } from "../../kernel/paging.js"
import { flag, integer } from "./body-fields.js"

const MAX_GRAPHQL_INT = 2_147_483_647
const RELATIVE_DATE = /^-?(\d{1,5})([hdwmy])$/
const HOURS_OF_UNIT: Readonly<Record<string, number>> = { h: 1, d: 24, w: 168, m: 730, y: 8_766 }
const HOUR_MS = 3_600_000

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

/**
 * Reads an ISO 8601 time or a relative one such as `-7d` (hours, days, weeks, months of 730 h, years of 8,766 h before
 * the request) into ISO 8601 UTC.
 * @throws AppError invalid_input naming the parameter.
 */
export function readTime(query: URLSearchParams, name: string, receivedAtMs: number): string | undefined {
  const value = readText(query, name)
  if (value === undefined) return undefined
  const relative = RELATIVE_DATE.exec(value)
  const timeMs =
    relative === null
      ? Date.parse(/^\d{4}-\d{2}/.test(value) ? value : "")
      : receivedAtMs - Number(relative[1]) * (HOURS_OF_UNIT[relative[2] as string] as number) * HOUR_MS
  if (!Number.isNaN(timeMs) && Math.abs(timeMs) <= 8.64e15) return new Date(timeMs).toISOString()
  throw new AppError("invalid_input", {
    attr: name,
    detail: "Write an ISO 8601 time or a relative one such as -7d.",
  })
}
