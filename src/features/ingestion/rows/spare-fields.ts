import { SPARE_COLUMN_COUNT, SPARE_COUNT_COLUMN, toSpareColumn } from "../../../kernel/property-columns.js"
import { createPropertyFieldsWriter, type PropertyFieldsWriter } from "./property-text.js"

const NUMBERS = Array.from({ length: SPARE_COLUMN_COUNT }, (_, index) => index + 1)

/** The columns of `events` that the end of a row is for, behind those of `toEventRow`. */
export const SPARE_COLUMNS: readonly string[] = [SPARE_COUNT_COLUMN, ...NUMBERS.map(toSpareColumn)]

/**
 * Makes the writer for the ends of the rows of a project: how many spare columns it has, and what is in them.
 * @param names the properties that have them, in the order of their columns
 */
export function createSpareFieldsWriter(names: readonly string[]): PropertyFieldsWriter {
  const count = `\t${names.length}`
  const writeFields = createPropertyFieldsWriter(names, SPARE_COLUMN_COUNT)
  return (properties) => count + writeFields(properties)
}
