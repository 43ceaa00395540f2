/**
 * What a backslash and a letter stand for; `\0` stands for nothing. Others keep their backslash, so that a regular
 * expression may be written as it is: `'\d+'` (`docs/contract/queries.md#hogql-texts`).
 */
const ESCAPES: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  r: "\r",
  n: "\n",
  t: "\t",
  "0": "",
  a: "\u0007",
  v: "\v",
  "\\": "\\",
}

/** Replaces escapes, `bare` characters after a backslash, and doubled quotes. */
const withoutEscapes = (text: string, quote: string, bare: string): string =>
  text.replace(/\\([\s\S])|(['"`])\2/g, (written, letter?: string, pair?: string) => {
    if (pair !== undefined) return pair === quote ? quote : written
    return letter !== undefined && bare.includes(letter) ? letter : (ESCAPES[letter ?? ""] ?? written)
  })

/** What a backslash in a text only marks as meant: quotes, and what the engine reads so too. */
const MARKED = "'\"`/="

/** The text between single quotes; `''` and `\'` stand for a quote. */
export const unquoteText = (written: string): string => withoutEscapes(written.slice(1, -1), "'", MARKED)

/** The name between double quotes or backticks; the quote is written twice, in double quotes also with a backslash. */
export function unquoteName(written: string): string {
  const quote = written.charAt(0)
  return withoutEscapes(written.slice(1, -1), quote, quote === '"' ? quote : "")
}

/** A literal run of a template text; `\{` stands for a brace. */
export const unquoteTemplate = (written: string): string => withoutEscapes(written, "'", `${MARKED}{`)
