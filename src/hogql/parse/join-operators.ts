import { syntaxError } from "../hogql-error.js"
import type { JoinOperator, JoinType } from "../nodes/nodes.js"
import type { TokenReader } from "./token-reader.js"

type Strictness = NonNullable<JoinOperator["strictness"]>

const STRICTNESSES: ReadonlyMap<string, Strictness> = new Map<string, Strictness>([
  ["any", "ANY"],
  ["asof", "ASOF"],
  ["semi", "SEMI"],
  ["anti", "ANTI"],
])
const JOIN_WORDS: ReadonlySet<string> = new Set([
  ...STRICTNESSES.keys(),
  "all",
  "inner",
  "left",
  "right",
  "full",
  "outer",
  "natural",
  "positional",
])
const TYPES: ReadonlyMap<string, JoinType> = new Map<string, JoinType>([
  ["", "INNER"],
  ["inner", "INNER"],
  ["left", "LEFT"],
  ["left outer", "LEFT"],
  ["right", "RIGHT"],
  ["right outer", "RIGHT"],
  ["full", "FULL"],
  ["full outer", "FULL"],
])

const INSTEAD: ReadonlyMap<string, string> = new Map([
  ["natural", ": name the columns with USING (…)"],
  ["positional", ": number the rows of both sides with row_number() OVER (ORDER BY …), and join them on the numbers"],
])

/** Reads `[ANY | ASOF | SEMI | ANTI] [INNER | LEFT | RIGHT | FULL] JOIN`, the strictness before or behind the side. */
export function readJoinOperator(reader: TokenReader): JoinOperator | null {
  const words: string[] = []
  while (reader.peek(words.length).kind === "word" && JOIN_WORDS.has(reader.peek(words.length).value)) {
    words.push(reader.peek(words.length).value)
  }
  if (!reader.isWord("join", words.length)) return null
  const from = reader.index
  reader.index += words.length + 1
  const operator = findOperator(words)
  if (operator !== null) return operator
  const instead = words.map((word) => INSTEAD.get(word)).find((sentence) => sentence !== undefined) ?? ""
  throw syntaxError(`${[...words, "join"].join(" ").toUpperCase()} is not supported${instead}.`, reader.span(from))
}

function findOperator(words: readonly string[]): JoinOperator | null {
  const before = STRICTNESSES.get(words[0] ?? "")
  const behind = before === undefined ? STRICTNESSES.get(words.at(-1) ?? "") : undefined
  const strictness = before ?? behind ?? null
  const side = before !== undefined ? words.slice(1) : behind !== undefined ? words.slice(0, -1) : words
  const type = TYPES.get(side.join(" "))
  if (type === undefined) return null
  const needsSide = strictness === "SEMI" || strictness === "ANTI"
  if (!needsSide) return { type, strictness }
  if (type === "FULL" || side.includes("inner")) return null
  return { type: type === "INNER" ? "LEFT" : type, strictness }
}
