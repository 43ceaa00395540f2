import { describe, expect, test } from "@jest/globals"
import { readFiles, type TextFile } from "./support/read-files.js"
import { NAMES_OF_OTHERS, RETIRED_IN_TYPES, RETIRED_WORDS } from "./support/retired-words.js"
import { readIdentifier, type SyntaxNode, visitNodes } from "./support/syntax-tree.js"

/** Present numbers; only ever lower. */
const MAX_CASTS = 140
const MAX_CASTS_TO_NUMBER = 3
const MAX_NOUNS_AS_FUNCTIONS = 25

const DECLARES_TYPE = new Set(["TsInterfaceDeclaration", "TsTypeAliasDeclaration", "ClassDeclaration"])
const FUNCTIONS = new Set(["ArrowFunctionExpression", "FunctionExpression"])
const LITERALS = new Set(["ObjectExpression", "ArrayExpression"])

/** What a file does that has a rule; places are identifiers or paths. */
interface Findings {
  retiredWords: string[]
  /** Functions whose names are nouns: `rowOf` instead of `toRow` or `findRow`. */
  nounsAsFunctions: string[]
  /** `[...["a", "b"]]` is longer than `["a", "b"]` and only keeps the formatter from breaking it. */
  literalSpreads: string[]
  casts: number
  castsToNumber: number
}

/** ` read url now ` for `readURL_now`. */
const toWords = (name: string): string =>
  ` ${name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .replace(/[^A-Za-z0-9]+/g, " ")
    .trim()
    .toLowerCase()} `

const known = new Map<string, boolean>()

function isRetired(name: string, words: Readonly<Record<string, string>>): boolean {
  const key = `${words === RETIRED_WORDS} ${name}`
  const answer = known.get(key) ?? Object.keys(words).some((word) => toWords(name).includes(` ${word} `))
  known.set(key, answer)
  return answer
}

const isOfOthers = (name: string, node: SyntaxNode, parent: SyntaxNode): boolean =>
  NAMES_OF_OTHERS.anywhere.includes(name) ||
  (NAMES_OF_OTHERS.members.includes(name) && parent.type === "MemberExpression" && parent.property === node)

/** The name of a function, method, or constant that is one; null for every other node. */
function readFunctionName({ type, identifier, id, init, key }: SyntaxNode): string | null {
  if (type === "FunctionDeclaration") return readIdentifier(identifier)
  if (type === "ClassMethod" || type === "MethodProperty") return readIdentifier(key)
  const isFunction = type === "VariableDeclarator" && FUNCTIONS.has((init as SyntaxNode | null)?.type ?? "")
  return isFunction ? readIdentifier(id) : null
}

/** How many literals an object, a list or a call spreads; a spread is a node of objects and a mark of items elsewhere. */
function countLiteralSpreads({ type, properties, elements, arguments: passed }: SyntaxNode): number {
  const isLiteral = (value: unknown): boolean => LITERALS.has((value as SyntaxNode | undefined)?.type ?? "")
  if (type === "ObjectExpression")
    return (properties as SyntaxNode[]).filter((one) => one.type === "SpreadElement" && isLiteral(one.arguments)).length
  const items = type === "ArrayExpression" ? elements : type === "CallExpression" ? passed : []
  return (items as ({ spread?: unknown; expression?: unknown } | null)[]).filter(
    (item) => item?.spread != null && isLiteral(item.expression),
  ).length
}

const isCastToNumber = ({ typeAnnotation }: SyntaxNode): boolean =>
  (typeAnnotation as SyntaxNode).type === "TsKeywordType" && (typeAnnotation as SyntaxNode).kind === "number"

function inspect({ path, text }: TextFile): Findings {
  const retiredWords = new Set(isRetired(path, RETIRED_WORDS) ? [path] : [])
  const found = { nounsAsFunctions: [] as string[], literalSpreads: [] as string[], casts: 0, castsToNumber: 0 }
  visitNodes(text, (node, parent) => {
    const name = readIdentifier(node)
    if (name !== null && !isOfOthers(name, node, parent)) {
      const isType = DECLARES_TYPE.has(parent.type) && isRetired(name, RETIRED_IN_TYPES)
      if (isType || isRetired(name, RETIRED_WORDS)) retiredWords.add(`${path}: ${name}`)
    }
    const functionName = readFunctionName(node)
    if (functionName !== null && /[a-z0-9]Of$/.test(functionName))
      found.nounsAsFunctions.push(`${path}: ${functionName}`)
    for (let spreads = countLiteralSpreads(node); spreads > 0; spreads--) found.literalSpreads.push(path)
    if (node.type !== "TsAsExpression") return
    found.casts++
    if (isCastToNumber(node)) found.castsToNumber++
  })
  return { retiredWords: [...retiredWords], ...found }
}

const inspectText = (text: string): Findings => inspect({ path: "src/x.ts", text })
const sources = readFiles("src/**/*.ts").map(inspect)
const others = readFiles("{test,bench,demo}/**/*.ts").map(inspect)
const add = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

describe("the source", () => {
  test("has none of the words that were given up for those of the field", () => {
    expect(sources.flatMap(({ retiredWords }) => retiredWords)).toEqual([])
  })

  test("names hardly any function by a noun", () => {
    const nouns = sources.flatMap(({ nounsAsFunctions }) => nounsAsFunctions)
    expect(nouns.length).toBeLessThanOrEqual(MAX_NOUNS_AS_FUNCTIONS)
  })

  test("spreads no literal, nor do tests and benches", () => {
    expect([...sources, ...others].flatMap(({ literalSpreads }) => literalSpreads)).toEqual([])
  })

  test("casts ever less", () => {
    expect(add(sources.map(({ casts }) => casts))).toBeLessThanOrEqual(MAX_CASTS)
    expect(add(sources.map(({ castsToNumber }) => castsToNumber))).toBeLessThanOrEqual(MAX_CASTS_TO_NUMBER)
  })
})

describe("the style of a file", () => {
  test("is told word by word, and names of the platform are left alone", () => {
    const text = "const nextTurnAt = rows.slice(1); const aSlice = { slice: 1 }; interface ColumnTexts {}; sliced()"
    expect(inspect({ path: "src/run-board.ts", text }).retiredWords).toEqual([
      "src/run-board.ts",
      "src/run-board.ts: nextTurnAt",
      "src/run-board.ts: aSlice",
      "src/run-board.ts: slice",
      "src/run-board.ts: ColumnTexts",
    ])
  })

  test("counts functions, methods and constants that are named by a noun", () => {
    const text = "function rowOf() {} const keyOf = () => 1; class A { nameOf() {} } const partOf = 1; indexOf()"
    expect(inspectText(text).nounsAsFunctions).toEqual(["rowOf", "keyOf", "nameOf"].map((name) => `src/x.ts: ${name}`))
  })

  test("counts spreads of literals, not those of what is decided or given", () => {
    const text = "f({ ...{ a }, ...(b ? { c } : {}), ...d }, [...[1, 2], ...e], ...[3])"
    expect(inspectText(text).literalSpreads).toHaveLength(3)
  })

  test("counts casts, but neither `as const` nor `satisfies`", () => {
    const text = "a as string; b as number; [c] as const; d satisfies E; f as unknown as G"
    expect(inspectText(text)).toMatchObject({ casts: 4, castsToNumber: 1 })
  })
})
