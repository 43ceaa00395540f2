import { readTokens, type SqlToken } from "../../clickhouse/sql-tokens.js"
import { EngineException } from "./engine-exception.js"

/** What the HTTP interface must know of a statement. */
export interface ScannedStatement {
  /** First word in capitals (`SELECT`, `INSERT`, `KILL`), empty for an empty statement. */
  readonly verb: string
  /** Whether it only watches or stops other statements. */
  readonly isControl: boolean
  /** Format of its own FORMAT clause; null when it has none. */
  readonly format: string | null
  /** For an INSERT with its rows in the same text: offset of the first byte of the rows; else null. */
  readonly dataStart: number | null
  /** What the rows of an INSERT are written in; null for VALUES and for every other statement. */
  readonly rowsFormat: string | null
}

/** Rows begin right after one of these in an INSERT. */
const isBeforeRows = (word: string, previous: string): boolean => previous === "FORMAT" || word === "VALUES"

/**
 * Reads what the HTTP interface must know of one statement, given as latin1 text.
 * @throws EngineException SYNTAX_ERROR for several statements at once, as a real server says, and ACCESS_DENIED
 * for what would read or write files of the machine: the engine checks rights for neither INTO OUTFILE nor `file()`.
 */
export function scanStatement(statement: string): ScannedStatement {
  let verb = ""
  let format: string | null = null
  let isEnded = false
  let readsSystem = false
  let previous: SqlToken | undefined
  let beforePrevious: SqlToken | undefined
  for (const token of readTokens(statement)) {
    if (isEnded) throw new EngineException(62, "SYNTAX_ERROR", "Syntax error (Multi-statements are not allowed)")
    isEnded = token.value === ";" && token.kind === "sign"
    refuseFileAccess(beforePrevious, previous, token)
    if (token.kind === "word") {
      if (verb === "" && !token.isQuoted) verb = token.value.toUpperCase()
      const previousWord = keyword(previous)
      if (previousWord === "FORMAT") format = token.value
      if (previousWord === "FROM" && token.value === "system") readsSystem = true
      if (verb === "INSERT" && isBeforeRows(keyword(token), previousWord))
        return {
          verb,
          isControl: false,
          format: null,
          dataStart: endOfLine(statement, token.end),
          rowsFormat: previousWord === "FORMAT" ? token.value : null,
        }
    }
    beforePrevious = previous
    previous = token
  }
  return {
    verb,
    isControl: verb === "KILL" || verb === "USE" || readsSystem,
    format,
    dataStart: null,
    rowsFormat: null,
  }
}

const keyword = (token: SqlToken | undefined): string =>
  token?.kind === "word" && !token.isQuoted ? token.value.toUpperCase() : ""

function refuseFileAccess(beforePrevious: SqlToken | undefined, previous: SqlToken | undefined, token: SqlToken): void {
  if (token.kind === "word") {
    const word = keyword(token)
    if (word === "OUTFILE" && keyword(previous) === "INTO") refuse("INTO OUTFILE")
    if (word === "INFILE" && keyword(previous) === "FROM") refuse("FROM INFILE")
    if (!isFileWord(token)) return
    // Functions can be passed by name: `APPLY(file)`, `APPLY file`, `arrayMap(file, …)`.
    const isArgument = previous?.value === "(" && isHigherOrder(beforePrevious)
    if (isArgument || keyword(previous) === "APPLY") refuse("Function file")
  } else if (token.value === "(" && isFileWord(previous)) refuse("Function file")
}

const isFileWord = (token: SqlToken | undefined): boolean => token?.kind === "word" && token.value === "file"

const isHigherOrder = (token: SqlToken | undefined): boolean =>
  token?.kind === "word" && /^(?:apply|array|map)/i.test(token.value)

function refuse(what: string): never {
  throw new EngineException(
    497,
    "ACCESS_DENIED",
    `default: Not enough privileges. ${what} reaches files of the machine.`,
  )
}

/** A line feed directly after the format's name belongs to the statement, not to the rows. */
function endOfLine(statement: string, position: number): number {
  const lineEnd = /^[ \t]*\r?\n/.exec(statement.slice(position, position + 16))
  return position + (lineEnd?.[0].length ?? 0)
}
