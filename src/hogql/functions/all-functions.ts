import { AGGREGATES } from "./aggregates.js"
import { ARRAY_FUNCTIONS } from "./array-functions.js"
import { BITMAP_FUNCTIONS } from "./bitmap-functions.js"
import type { FunctionDefinition } from "./definition.js"
import { H3_FUNCTIONS } from "./h3-functions.js"
import { OWN_FUNCTIONS } from "./own-functions.js"
import { PLAIN_FUNCTIONS } from "./plain-functions.js"
import { POSTGRES_FUNCTIONS } from "./postgres-functions.js"
import { REWRITTEN_FUNCTIONS } from "./rewritten-functions.js"
import { TIME_FUNCTIONS } from "./time-functions.js"

/** Every function and aggregate that a query may call. */
export const FUNCTIONS: readonly FunctionDefinition[] = [
  ...PLAIN_FUNCTIONS,
  ...ARRAY_FUNCTIONS,
  ...TIME_FUNCTIONS,
  ...REWRITTEN_FUNCTIONS,
  ...OWN_FUNCTIONS,
  ...POSTGRES_FUNCTIONS,
  ...BITMAP_FUNCTIONS,
  ...H3_FUNCTIONS,
  ...AGGREGATES,
]
