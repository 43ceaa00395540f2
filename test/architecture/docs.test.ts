import { readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test } from "@jest/globals"

const read = (path: string): string => readFileSync(path, "utf8")
const foldersOf = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
const recordsOf = (folder: string): string[] =>
  readdirSync(folder).filter((name) => /^\d{4}-.*\.md$/.test(name) && !name.startsWith("0000"))

const DOCUMENTS = [
  "README.md",
  "CHANGELOG.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
]

describe("the documents", () => {
  test("link only to what is there", () => {
    const broken = DOCUMENTS.flatMap((path) =>
      [...read(path).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)]
        .map(([, target]) => join(dirname(path), target as string))
        .filter((target) => statSync(target, { throwIfNoEntry: false }) === undefined)
        .map((target) => `${path} → ${target}`),
    )
    expect(broken).toEqual([])
  })

  test("list every decision, under a number of its own", () => {
    const index = read("docs/decisions/README.md")
    const records = recordsOf("docs/decisions")
    expect(records.filter((name) => !index.includes(`](${name})`))).toEqual([])
    expect(new Set(records.map((name) => name.slice(0, 4))).size).toBe(records.length)
  })

  test("name every folder of the tree where they draw it", () => {
    const architecture = read("docs/architecture.md")
    const tree = /```\n(src\/[^`]+)```/.exec(architecture)?.[1] ?? ""
    const folders = ["src", "src/features", "src/platform", "src/transport"].flatMap(foldersOf)
    expect(folders.filter((name) => !new RegExp(`\\b${name}\\b`).test(tree))).toEqual([])
  })
})
