import { readdirSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { describe, expect, test } from "@jest/globals"
import { isThere } from "./support/headings.js"
import { readCode, readFiles } from "./support/read-files.js"

const MAX_COLUMNS = 120

const codePaths = readCode().map(({ path }) => path)
const documents = readFiles("*.md", "docs/**/*.md")
const decisions = documents.filter(({ path }) => /docs\/decisions\/\d{4}-/.test(path) && !path.includes("/0000-"))
const read = (path: string): string => documents.find((one) => one.path === path)?.text ?? ""
const listFolders = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))

/** Lines beyond the width that are neither of tables nor of code. */
function findWideLines(text: string): number[] {
  let isCode = false
  return text.split("\n").flatMap((line, index) => {
    if (line.startsWith("```")) isCode = !isCode
    return !isCode && !line.startsWith("|") && line.length > MAX_COLUMNS ? [index + 1] : []
  })
}

/** The sentences under the heading "In short", or none when the text does not begin with it. */
function readSummary(text: string): string[] {
  const [, summary = ""] = /^# \d{4}\. .+\n\nStatus: .+\n\n## In short\n([^#]+?)\n\n/.exec(text) ?? []
  return summary.split(/(?<=[.?!])\s+(?=[A-Z`"])/).filter((sentence) => sentence !== "")
}

describe("the documents", () => {
  test("link only to what is there", () => {
    const broken = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?[^)]*\)/g)]
        .filter(([, target = "", anchor]) => !isThere(target === "" ? path : join(dirname(path), target), anchor))
        .map(([link]) => `${path} → ${link}`),
    )
    expect(broken).toEqual([])
  })

  test("name only files that are there, but for records that were replaced", () => {
    const present = documents.filter(({ text }) => !/^Status: replaced/m.test(text))
    const broken = present.flatMap(({ path, text }) =>
      [...text.matchAll(/`(?!\.)([\w./-]*[\w-]\.(?:ts|mjs|cjs))`/g)]
        .filter(([, file]) => !codePaths.some((one) => `/${one}`.endsWith(`/${file}`)))
        .map(([, file]) => `${path} → ${file}`),
    )
    expect(broken).toEqual([])
  })

  test("have no line over 120 columns but in tables and code", () => {
    expect(documents.flatMap(({ path, text }) => findWideLines(text).map((line) => `${path}:${line}`))).toEqual([])
  })

  test("list every decision, under a number of its own", () => {
    const index = read("docs/decisions/README.md")
    const names = decisions.map(({ path }) => basename(path))
    expect(names.filter((name) => !index.includes(`](${name})`))).toEqual([])
    expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length)
  })

  test("say each decision in short first, in three sentences", () => {
    const others = decisions.map(({ path, text }) => ({ path, sentences: readSummary(text).length }))
    expect(others.filter(({ sentences }) => sentences !== 3)).toEqual([])
  })

  test("name every folder of the tree where they draw it", () => {
    const tree = /```\n(src\/[^`]+)```/.exec(read("docs/architecture.md"))?.[1] ?? ""
    const folders = ["src", "src/features", "src/platform", "src/transport"].flatMap(listFolders)
    expect(folders.filter((name) => !new RegExp(`\\b${name}\\b`).test(tree))).toEqual([])
  })

  test("walk along files that are there, twenty-five at most, and thirty where a query is followed live", () => {
    const walks = read("docs/architecture.md")
      .split("\n## ")
      .filter((section) => section.startsWith("Walk:"))
    const filesOf = (walk: string) => [...walk.matchAll(/^\| \d+ \| `([^`]+)` \|/gm)].flatMap(([, file = ""]) => file)
    expect(walks.length).toBeGreaterThan(1)
    for (const walk of walks) {
      const files = filesOf(walk)
      expect(files.length).toBeGreaterThan(9)
      expect(files.length).toBeLessThanOrEqual(walk.includes("live status") ? 30 : 25)
      expect(files.filter((file) => statSync(join("src", file), { throwIfNoEntry: false }) === undefined)).toEqual([])
    }
  })
})
