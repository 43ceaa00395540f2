import { FUNCTIONS } from "./all-functions.js"

/** Names of all functions and aggregates that a query may call, in order. */
export const FUNCTION_NAMES: readonly string[] = [...new Set(FUNCTIONS.map(({ name }) => name))].sort()
