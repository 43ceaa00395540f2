import { globSync } from "node:fs"
import { basename } from "node:path"
import { describe, expect, test } from "@jest/globals"
import { isThere } from "./support/headings.js"
import { readCode, type TextFile } from "./support/read-files.js"

const DOCUMENT = /(?<![\w./-])([\w./-]*[\w-]\.md)(?:#([\w-]+))?/g
const SOURCE_FILE = /`(?!\.)([\w./-]*[\w-]\.(?:ts|mjs|cjs))`/g
const DECISIONS = /\b[Dd]ecisions?(?:\s|\*|\/\/)+((?:\d{4}(?:,?\s(?:and\s|to\s)?)?(?:\s|\*|\/\/)*)+)/g
/** Written down, but cited in no form that can be looked up. */
const DECISION_AS_FOLDER = /docs\/decisions\/\d{4}(?!-)/g

const code = readCode().filter(({ path }) => !path.startsWith("test/architecture/"))
const paths = code.map(({ path }) => path)
const decisions = new Set(globSync("docs/decisions/[0-9]*.md").map((path) => basename(path).slice(0, 4)))

/** What a text cites that is not there. */
function findBroken({ path, text }: TextFile): string[] {
  const documents = [...text.matchAll(DOCUMENT)].filter(([, file = "", anchor]) => !isThere(file, anchor))
  const sources = [...text.matchAll(SOURCE_FILE)].filter(
    ([, file]) => !paths.some((one) => `/${one}`.endsWith(`/${file}`)),
  )
  const numbers = [...text.matchAll(DECISIONS)].flatMap(([, list = ""]) => list.match(/\d{4}/g) ?? [])
  return [
    ...[...documents, ...sources, ...text.matchAll(DECISION_AS_FOLDER)].map(([citation]) => `${path} → ${citation}`),
    ...numbers.filter((number) => !decisions.has(number)).map((number) => `${path} → decision ${number}`),
  ]
}

describe("what comments and strings cite", () => {
  test("is there: the page with the heading, the decision, the file", () => {
    expect(code.flatMap(findBroken)).toEqual([])
  })

  test("is a page of the contract with a heading, hundreds of times", () => {
    const citations = code.flatMap(({ text }) => [...text.matchAll(/docs\/contract\/[\w-]+\.md(#[\w-]+)?/g)])
    expect(citations.filter(([, anchor]) => anchor === undefined)).toEqual([])
    expect(citations.length).toBeGreaterThan(200)
  })

  test("is looked up wherever it stands", () => {
    const text = `
      /** A rule (\`docs/contract/capture.md#timestamps\`), one that is not (\`docs/contract/capture.md#moons\`). */
      // \`interface.md\`, \`kernel/errors.ts\`, \`kernel/mistakes.ts\`
      /**
       * Why: decisions 0001, 9998 and 0003 (decision
       * 9997), and decision 9999.
       */
      const source = "docs/contract/moon.md"
      // docs/decisions/0033`
    expect(findBroken({ path: "x.ts", text })).toEqual(
      [
        "docs/contract/capture.md#moons",
        "interface.md",
        "docs/contract/moon.md",
        "`kernel/mistakes.ts`",
        "docs/decisions/0033",
        "decision 9998",
        "decision 9997",
        "decision 9999",
      ].map((citation) => `x.ts → ${citation}`),
    )
  })
})
