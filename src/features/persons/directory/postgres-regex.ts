/** A pattern as PostgreSQL's `~` or `~*` takes it, meaning what RE2 means by the one it was made of. */
export interface PostgresRegex {
  readonly text: string
  readonly ignoresCase: boolean
}

/** Something that RE2 has and PostgreSQL has not, or not with that meaning; the message is for the user. */
export class UntranslatableRegex extends Error {
  constructor(message: string) {
    super(message)
    this.name = "UntranslatableRegex"
  }
}

const CLASSES: Readonly<Record<string, string>> = { d: "0-9", w: "A-Za-z0-9_", s: "\\t\\n\\f\\r " }
/** PostgreSQL's own boundaries count letters such as é as part of a word, those of RE2 do not. */
const [BEHIND, NOT_BEHIND, AHEAD, NOT_AHEAD] = ["<=", "<!", "=", "!"].map((sign) => `(?${sign}[A-Za-z0-9_])`)
const WORD_BOUNDARY = `(?:${BEHIND}${NOT_AHEAD}|${NOT_BEHIND}${AHEAD})`
const NO_WORD_BOUNDARY = `(?:${BEHIND}${AHEAD}|${NOT_BEHIND}${NOT_AHEAD})`
const CONTROLS = "tnrfva"
/** PostgreSQL repeats no more often (RE_DUP_MAX). */
const MAX_REPEAT = 255
const FLAGS_IN_FRONT = /^\(\?([is]+)\)/
const OPENS_NAMED = /^\(\?P?<[A-Za-z_]\w*>/
const REPEAT = /^\{(\d+)(,?)(\d*)\}/
const HEX = /^x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\})/
const POSIX_CLASS = /^\[:\^?[a-z]+:\]/

/**
 * Writes a pattern of RE2's for PostgreSQL, whose engine works in linear time where a pattern has no back-references. Groups
 * capture nothing and repeats are greedy: only whether there is a match is asked.
 * The pattern must be one that RE2 accepts.
 * @throws UntranslatableRegex for flags inside of a pattern, Unicode classes and repeats above 255.
 */
export function toPostgresRegex(pattern: string): PostgresRegex {
  const flags = FLAGS_IN_FRONT.exec(pattern)
  const reader = new PatternReader(pattern, flags?.[0].length ?? 0, flags?.[1]?.includes("s") ?? false)
  return { text: reader.read(), ignoresCase: flags?.[1]?.includes("i") ?? false }
}

class PatternReader {
  constructor(
    private readonly pattern: string,
    private position: number,
    private readonly dotMeansAll: boolean,
  ) {}

  read(): string {
    let text = ""
    while (this.position < this.pattern.length) text += this.token()
    return text
  }

  private token(): string {
    const character = this.next()
    switch (character) {
      case "\\":
        return this.escape()
      case "[":
        return this.bracket()
      case "(":
        return this.group()
      case ".":
        return this.dotMeansAll ? "(?:.|\\n)" : "[^\\n]"
      case "*":
      case "+":
      case "?":
        this.skip("?")
        return character
      case "{":
        return this.repeat()
      case "|":
      case ")":
      case "^":
      case "$":
        return character
      default:
        return literal(character)
    }
  }

  private escape(): string {
    const character = this.next()
    const lower = character.toLowerCase()
    const members = CLASSES[lower]
    if (members !== undefined) return `[${character === lower ? "" : "^"}${members}]`
    if (character === "b") return WORD_BOUNDARY
    if (character === "B") return NO_WORD_BOUNDARY
    if (character === "A") return "\\A"
    if (character === "z") return "\\Z"
    return this.escapedCharacter(character)
  }

  /** What stands for one character, inside of brackets and outside. */
  private escapedCharacter(character: string): string {
    if (CONTROLS.includes(character)) return `\\${character}`
    if (character === "x") {
      const [whole = "", two, braced] = HEX.exec(this.pattern.slice(this.position - 1)) ?? []
      this.position += whole.length - 1
      return `\\U${(two ?? braced ?? "0").padStart(8, "0")}`
    }
    if (/[A-Za-z0-9]/.test(character)) throw new UntranslatableRegex(`uses \\${character}, which cannot be used here`)
    return literal(character)
  }

  private group(): string {
    const rest = this.pattern.slice(this.position - 1)
    const named = OPENS_NAMED.exec(rest)
    if (named !== null) this.position += named[0].length - 1
    else if (rest.startsWith("(?:")) this.position += 2
    else if (rest.startsWith("(?"))
      throw new UntranslatableRegex("has flags inside; here they can only stand in front of the whole pattern")
    return "(?:"
  }

  private repeat(): string {
    const counted = REPEAT.exec(this.pattern.slice(this.position - 1))
    if (counted === null) return "\\{"
    const [whole, from = "", comma = "", to = ""] = counted
    if (Math.max(Number(from), Number(to)) > MAX_REPEAT)
      throw new UntranslatableRegex(`repeats more than ${MAX_REPEAT} times`)
    this.position += whole.length - 1
    this.skip("?")
    return `{${Number(from)}${comma}${to}}`
  }

  private bracket(): string {
    let text = this.skip("^") ? "[^" : "["
    // A bracket that closes nothing yet is a member.
    if (this.skip("]")) text += "\\]"
    for (;;) {
      const character = this.next()
      if (character === "]") return `${text}]`
      if (character === "[") {
        const posix = POSIX_CLASS.exec(this.pattern.slice(this.position - 1))
        if (posix?.[0].startsWith("[:^")) throw new UntranslatableRegex(`uses ${posix[0]}, which cannot be used here`)
        text += posix?.[0] ?? "\\["
        this.position += (posix?.[0].length ?? 1) - 1
      } else if (character === "\\") text += this.escapedMember()
      else text += character === "-" ? "-" : literal(character)
    }
  }

  private escapedMember(): string {
    const character = this.next()
    const members = CLASSES[character]
    if (members !== undefined) return members
    return this.escapedCharacter(character)
  }

  private next(): string {
    const code = this.pattern.codePointAt(this.position)
    if (code === undefined) throw new UntranslatableRegex("ends too early")
    const character = String.fromCodePoint(code)
    this.position += character.length
    return character
  }

  private skip(character: string): boolean {
    if (this.pattern[this.position] !== character) return false
    this.position++
    return true
  }
}

const literal = (character: string): string => (/[A-Za-z0-9\s]|[^ -~]/.test(character) ? character : `\\${character}`)
