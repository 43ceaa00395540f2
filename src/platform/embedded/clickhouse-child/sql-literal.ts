import { escapeText } from "../../clickhouse/escape-text.js"

/** A ClickHouse string literal of any text, quotes included. */
export function toStringLiteral(text: string): string {
  return `'${escapeText(text)}'`
}

/** A name in backticks, for any text. */
export function toQuotedIdentifier(name: string): string {
  return `\`${name.replace(/[\\`]/g, "\\$&").replaceAll("\0", "\\0")}\``
}
