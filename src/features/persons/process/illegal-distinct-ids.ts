import { COOKIELESS_DISTINCT_ID } from "../../../kernel/ids.js"

/**
 * Texts that SDKs send by mistake; merging on them would join strangers
 * (`docs/contract/capture.md#ids-that-never-merge`).
 */
const IN_ANY_CASE = [
  "anonymous",
  "guest",
  "distinctid",
  "distinct_id",
  "id",
  "not_authenticated",
  "email",
  "undefined",
  "true",
  "false",
]
const IN_THIS_CASE = ["[object Object]", "NaN", "None", "none", "null", "0", "undefined", COOKIELESS_DISTINCT_ID]

const quoted = (text: string): string[] => [text, `"${text}"`, `'${text}'`]
const anyCase = new Set(IN_ANY_CASE.flatMap(quoted))
const thisCase = new Set(IN_THIS_CASE.flatMap(quoted))

/**
 * Whether a distinct id must not take part in a merge: blank, everybody's, or a placeholder, also in quotes. Events
 * keep it all the same.
 */
export const isIllegalForMerge = (distinctId: string): boolean =>
  distinctId.trim() === "" || anyCase.has(distinctId.toLowerCase()) || thisCase.has(distinctId)
