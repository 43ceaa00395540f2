import { type Json, parseJson } from "./json.js"

interface ExactJson {
  parse(text: string, revive: (key: string, value: Json, context: { readonly source?: string }) => Json): Json
  /** A number that JSON.stringify writes with these digits. */
  rawJSON(digits: string): Json
  isRawJSON(value: Json): boolean
}
/** The engine's JSON with the parts that its type leaves out. */
const exactJson = JSON as unknown as ExactJson

const LONG = /\d{16}/
const WHOLE = /^-?\d+$/

/**
 * As JSON.parse, but whole numbers beyond 2^53 keep their digits: they are opaque values that JSON.stringify writes as they
 * were. Nothing can be calculated with them, so this is only for answers that are handed on.
 *
 * @throws SyntaxError
 */
export function parseExactJson(text: string): Json {
  if (!LONG.test(text)) return parseJson(text)
  return exactJson.parse(text, (_key, value, { source }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && source !== undefined && WHOLE.test(source)
      ? exactJson.rawJSON(source)
      : value,
  )
}

/** A number that JSON.stringify writes as this text; opaque, too. @throws SyntaxError when it is no number of JSON. */
export const toWrittenNumber = (text: string): Json => exactJson.rawJSON(text)

/** Whether a value is one of those opaque numbers. */
export const isLongNumber = (value: Json): boolean => exactJson.isRawJSON(value)
