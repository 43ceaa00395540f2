/** A token of a statement. */
export interface SqlToken {
  /** `word` is a bare or quoted name, keyword included; `text` any literal; `sign` one other character. */
  readonly kind: "word" | "text" | "sign"
  /** The name without its quotes, or the character; empty for a literal. */
  readonly value: string
  readonly isQuoted: boolean
  /** Offset of the first byte after the token. */
  readonly end: number
}

/**
 * The engine's own lexical rules, as tried out on it: four kinds of comment, doubled and backslashed quotes, heredocs,
 * and curly quotes, which have no escapes. Text is read as bytes (latin1), so offsets count bytes; bytes above 127
 * outside quotes are white space or nothing that matters here.
 */
const TEXT = [
  "'(?:[^'\\\\]+|''|\\\\[\\s\\S]?)*(?:'|$)",
  "\\xe2\\x80\\x98[\\s\\S]*?(?:\\xe2\\x80\\x99|$)",
  "\\$(?<tag>\\w*)\\$[\\s\\S]*?\\$\\k<tag>\\$",
  "\\.?\\d[\\w.]*",
]
const QUOTED = [
  "`(?:[^`\\\\]+|``|\\\\[\\s\\S]?)*(?:`|$)",
  '"(?:[^"\\\\]+|""|\\\\[\\s\\S]?)*(?:"|$)',
  "\\xe2\\x80\\x9c[\\s\\S]*?(?:\\xe2\\x80\\x9d|$)",
]
const SKIPPED = ["--[^\\n]*", "//[^\\n]*", "#[ !][^\\n]*", "/\\*[\\s\\S]*?(?:\\*/|$)", "[\\s\\x80-\\xff]"]
const TOKEN = new RegExp(
  [
    `(?<text>${TEXT.join("|")})`,
    `(?<quoted>${QUOTED.join("|")})`,
    `(?<skipped>${SKIPPED.join("|")})`,
    "(?<word>[A-Za-z_$][\\w$]*)",
    "(?<sign>[\\s\\S])",
  ].join("|"),
  "y",
)

/** Characters that decide by themselves what begins with them; all others take the rules above. */
const WORD = 1
const SPACE = 2
const SIGN = 3
const BEGINS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[A-Za-z_]/.test(character)) return WORD
  if (/\s/.test(character)) return SPACE
  return /[(),;:=<>{}[\]+*%?!|&^~@\\]/.test(character) ? SIGN : 0
})
const GOES_ON = Uint8Array.from({ length: 128 }, (_, code) => (/[\w$]/.test(String.fromCharCode(code)) ? 1 : 0))

/** Splits a statement into tokens without comments; stops where the caller stops asking. */
export function* readTokens(statement: string): Generator<SqlToken> {
  let position = 0
  while (position < statement.length) {
    const begin = BEGINS[statement.charCodeAt(position)]
    if (begin === SPACE) position++
    else if (begin === SIGN) {
      const value = statement.charAt(position++)
      yield { kind: "sign", value, isQuoted: false, end: position }
    } else if (begin === WORD) {
      const start = position++
      while (GOES_ON[statement.charCodeAt(position)] === 1) position++
      yield { kind: "word", value: statement.slice(start, position), isQuoted: false, end: position }
    } else {
      TOKEN.lastIndex = position
      const groups = TOKEN.exec(statement)?.groups
      const end = TOKEN.lastIndex
      position = end
      if (groups === undefined) return
      if (groups.word !== undefined) yield { kind: "word", value: groups.word, isQuoted: false, end }
      else if (groups.quoted !== undefined) yield { kind: "word", value: unquote(groups.quoted), isQuoted: true, end }
      else if (groups.text !== undefined) yield { kind: "text", value: "", isQuoted: true, end }
      else if (groups.sign !== undefined) yield { kind: "sign", value: groups.sign, isQuoted: false, end }
    }
  }
}

function unquote(quoted: string): string {
  if (quoted.startsWith("\xe2")) return quoted.slice(3, -3)
  return quoted
    .slice(1, -1)
    .replace(/\\([\s\S])|``|""/g, (pair, escaped: string | undefined) => escaped ?? pair.charAt(0))
}
