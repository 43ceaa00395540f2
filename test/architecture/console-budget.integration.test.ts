import { readFileSync, statSync } from "node:fs"
import { describe, expect, test } from "@jest/globals"

const FOLDER = "dist/console"
const K = 1_000

/** A file of the build, as Vite's manifest lists it. */
interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
  readonly css?: readonly string[]
}

const chunks: Readonly<Record<string, Chunk>> = JSON.parse(readFileSync(`${FOLDER}/manifest.json`, "utf8"))

/** The chunks that a chunk needs before it runs, itself with them. */
function listNeeded(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  for (const imported of chunks[name]?.imports ?? []) listNeeded(imported, found)
  return found
}

const toSize = (file: string): number => statSync(`${FOLDER}/${file}.gz`).size
const add = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0)
const toScriptSize = (names: Iterable<string>): number =>
  add([...names].map((name) => toSize(chunks[name]?.file ?? "missing")))

const first = listNeeded("index.html")
/** What each screen adds to the first load, by its file; GraphiQL loads its editor in many parts of its own. */
const screens = Object.keys(chunks)
  .filter((name) => /^src\/screens\/(?!graphql\/)/.test(name))
  .map((name) => [name, [...listNeeded(name)].filter((needed) => !first.has(needed))] as const)

/** Sizes are those of the gzipped files, as a browser loads them. */
describe("the console", () => {
  test("loads at most 240 K of scripts and 40 K of styles before it shows something", () => {
    expect(toScriptSize(first)).toBeLessThanOrEqual(240 * K)
    const styles = [...first].flatMap((name) => chunks[name]?.css ?? [])
    expect(styles.length).toBeGreaterThan(0)
    expect(add(styles.map(toSize))).toBeLessThanOrEqual(40 * K)
  })

  test.each(screens)("loads at most 40 K more for %s", (_, needed) => {
    expect(toScriptSize(needed)).toBeLessThanOrEqual(40 * K)
  })

  test("loads at most 140 K more for the editor of HogQL", () => {
    const needed = [...listNeeded("src/editor/hogql-editor.tsx")].filter((name) => !first.has(name))
    expect(toScriptSize(needed)).toBeLessThanOrEqual(140 * K)
  })

  test("is at most 600 K of scripts without GraphiQL", () => {
    const all = new Set([...first, ...screens.flatMap(([, needed]) => needed)])
    expect(toScriptSize(all)).toBeLessThanOrEqual(600 * K)
  })
})
