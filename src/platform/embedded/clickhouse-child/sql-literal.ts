const ESCAPED = /[\\'\0\b\f\n\r\t]/g
const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "'": "\\'",
  "\0": "\\0",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
}

/** A ClickHouse string literal of any text, quotes included. */
export function toStringLiteral(text: string): string {
  return `'${text.replace(ESCAPED, (character) => ESCAPES[character] ?? character)}'`
}

/** A name in backticks, for any text. */
export function toQuotedIdentifier(name: string): string {
  return `\`${name.replace(/[\\`]/g, "\\$&").replaceAll("\0", "\\0")}\``
}
