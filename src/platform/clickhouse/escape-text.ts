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

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the very characters to escape.
const ESCAPED = /[\\'\u0000\b\f\n\r\t]/g

/** A text as it stands between the quotes of a ClickHouse string literal, and in the escaped form of a parameter. */
export const escapeText = (text: string): string =>
  text.replace(ESCAPED, (character) => ESCAPES[character] ?? character)
