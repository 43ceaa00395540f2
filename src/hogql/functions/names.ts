import { AGGREGATES } from "./aggregates.js"
import { ARRAY_FUNCTIONS } from "./array-functions.js"
import { OWN_FUNCTIONS } from "./own-functions.js"
import { PLAIN_FUNCTIONS } from "./plain-functions.js"
import { REWRITTEN_FUNCTIONS } from "./rewritten-functions.js"
import { TIME_FUNCTIONS } from "./time-functions.js"

/** Names of all functions and aggregates that a query may call, in order. */
export const FUNCTION_NAMES: readonly string[] = [
  ...new Set(
    [
      ...PLAIN_FUNCTIONS,
      ...ARRAY_FUNCTIONS,
      ...TIME_FUNCTIONS,
      ...REWRITTEN_FUNCTIONS,
      ...OWN_FUNCTIONS,
      ...AGGREGATES,
    ].map(({ name }) => name),
  ),
].sort()
