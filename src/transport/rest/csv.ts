import type { Json } from "../../kernel/json.js"

const NEEDS_QUOTES = /[",\r\n]/
/** A spreadsheet would run a text that begins with one of these as a formula. */
const BEGINS_FORMULA = /^[=+\-@\t\r]/

/**
 * Writes a table as CSV (RFC 4180) with a header line. Lists and objects are written as JSON, null as nothing, and texts
 * that a spreadsheet would run get an apostrophe in front.
 */
export function toCsv(columns: readonly string[], rows: readonly (readonly Json[])[]): string {
  return [columns, ...rows].map((cells) => `${cells.map(toCell).join(",")}\r\n`).join("")
}

function toCell(value: Json): string {
  if (value === null) return ""
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  const text = typeof value === "string" ? value : JSON.stringify(value)
  const harmless = BEGINS_FORMULA.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
