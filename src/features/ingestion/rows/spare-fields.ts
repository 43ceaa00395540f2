import type { JsonObject } from "../../../kernel/json.js"
import { SPARE_COLUMN_COUNT, SPARE_COUNT_COLUMN, toSpareColumn } from "../../../kernel/property-columns.js"
import { NULL_FIELD } from "../../../kernel/tab-separated.js"
import { writePropertyFields } from "./property-text.js"

const NUMBERS = Array.from({ length: SPARE_COLUMN_COUNT }, (_, index) => index + 1)

/** The columns of `events` that `toSpareFields` writes, behind those of `toEventRow`. */
export const SPARE_COLUMNS: readonly string[] = [SPARE_COUNT_COLUMN, ...NUMBERS.map(toSpareColumn)]

/**
 * The end of an event's row: how many spare columns the project has, and what is in them.
 * @param names the properties that have them, in the order of their columns
 */
export function toSpareFields(properties: JsonObject, names: readonly string[]): string {
  const fields = `\t${names.length}${writePropertyFields(names, properties)}`
  return fields + `\t${NULL_FIELD}`.repeat(SPARE_COLUMN_COUNT - names.length)
}
