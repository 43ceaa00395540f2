import { RE2JS } from "re2js"

/** A compiled search. */
export interface LinearRegex {
  /** Instructions; a match takes so many steps for each character at most. */
  readonly size: number
  /** Groups whose texts can be taken over. */
  readonly groupCount: number
  /** Whether a text contains a match. */
  readonly test: (text: string) => boolean
}

/** A pattern the linear engine cannot run, or will not because it is too large; the message is for the user. */
export class RegexFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = "RegexFault"
  }
}

/** Instructions of the compiled pattern; `a{1000}` needs about a thousand. */
const MAX_PROGRAM_SIZE = 2_000
const MAX_PATTERN_LENGTH = 10_000

/**
 * Compiles an unanchored, case-sensitive search on an engine whose time grows linearly with the text.
 * @throws RegexFault for invalid syntax, look-around, back-references and patterns that are too large.
 */
export function compileLinearRegex(pattern: string): LinearRegex {
  if (pattern.length > MAX_PATTERN_LENGTH) throw new RegexFault(`is longer than ${MAX_PATTERN_LENGTH} characters`)
  const compiled = compile(pattern)
  const size = compiled.programSize()
  if (size > MAX_PROGRAM_SIZE) throw new RegexFault("repeats too much; the compiled pattern is too large")
  return { size, groupCount: compiled.groupCount(), test: (text) => compiled.test(text) }
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    throw new RegexFault(reasonOf(pattern, error))
  }
}

function reasonOf(pattern: string, error: unknown): string {
  if (/\(\?<?[=!]/.test(pattern)) return "uses look-around, which is not supported"
  if (/\\[1-9]|\\k[<{']/.test(pattern)) return "uses a back-reference, which is not supported"
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/^error parsing regexp: /, "")
}
