import { isLongNumber } from "../../../../kernel/exact-json.js"
import { isJsonObject, type Json, type JsonObject } from "../../../../kernel/json.js"

/** Readers of an answer's JSON, which the kinds have made: what is absent or of another form becomes nothing. */
type Read = Json | undefined

/** A number that can be calculated with; null for none. */
export function readNumber(value: Read): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null
  return value !== undefined && isLongNumber(value) ? Number(JSON.stringify(value)) : null
}

/** As `readNumber`, with 0 for none. */
export const readCount = (value: Read): number => readNumber(value) ?? 0

/** A text; null for none. */
export const readText = (value: Read): string | null => (typeof value === "string" ? value : null)

/** As `readText`, with an empty one for none. */
export const readLabel = (value: Read): string => readText(value) ?? ""

/** Empty for what is no list. */
export const readList = (value: Read): readonly Json[] => (Array.isArray(value) ? value : [])

/** Empty for what is no object. */
export const readObject = (value: Read): JsonObject => (isJsonObject(value) ? value : {})

/** The objects of a list. */
export const readObjects = (value: Read): readonly JsonObject[] => readList(value).filter(isJsonObject)

/** The one of these choices that a value is; null for none. */
export const readChoice = <Choice extends string>(value: Read, choices: Readonly<Record<string, Choice>>) =>
  Object.values(choices).find((choice) => choice === value) ?? null

/** What a part is of a whole, in percent rounded to hundredths; null when the whole is nothing. */
export const toPercent = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 100
