import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { describe, expect, test } from "@jest/globals"

const IMPORT = /\b(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)\.js"/g

/** Files with the files that each imports, types too. */
function readImports(root: string): Map<string, string[]> {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"))
  return new Map(
    files.map((path) => {
      const file = join(root, path)
      const imports = [...readFileSync(file, "utf8").matchAll(IMPORT)].map(([, to = ""]) =>
        normalize(join(dirname(file), `${to}.ts`)),
      )
      return [file, imports]
    }),
  )
}

/** The siblings, files or folders of one folder, that two files lie in; null when they are one. */
function findSiblings(from: string, to: string): [string, string] | null {
  const [left, right] = [from.split("/"), to.split("/")]
  const fork = left.findIndex((part, depth) => part !== right[depth])
  return fork < 0 ? null : [left.slice(0, fork + 1).join("/"), right.slice(0, fork + 1).join("/")]
}

function findMutualImports(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const arrows = new Set<string>()
  for (const [from, targets] of imports)
    for (const to of targets) {
      const siblings = findSiblings(from, to)
      if (siblings !== null) arrows.add(siblings.join(" → "))
    }
  return [...arrows]
    .map((arrow) => arrow.split(" → "))
    .filter(([from = "", to = ""]) => from < to && arrows.has(`${to} → ${from}`))
    .map((pair) => pair.join(" ↔ "))
    .sort()
}

describe("sibling folders", () => {
  test("import each other in one direction only", () => {
    expect(findMutualImports(readImports("src"))).toEqual([])
  })

  test("that import each other are found by the folders in which their ways part", () => {
    const imports = new Map([
      ["src/a/left/x.ts", ["src/a/right/deep/y.ts"]],
      ["src/a/right/z.ts", ["src/a/left/x.ts", "src/a/right/deep/y.ts"]],
    ])
    expect(findMutualImports(imports)).toEqual(["src/a/left ↔ src/a/right"])
  })
})
