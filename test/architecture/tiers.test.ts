import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { describe, expect, test } from "@jest/globals"

/** Whatever starts a process, an engine or a browser, or looks at what the build has made. */
const STARTS_SOMETHING =
  /\b(startEmbeddedPostgres|startEmbeddedClickHouse)\b|from "(chdb|playwright-core|(node:)?child_process)"|import\("chdb"\)|"dist\/console"/
/** This file names them all. */
const SUITES = globSync("test/**/*.test.ts").filter((path) => !path.endsWith("/tiers.test.ts"))

const texts = new Map<string, string>()

function readText(path: string): string {
  const known = texts.get(path) ?? (existsSync(path) ? readFileSync(path, "utf8") : "")
  texts.set(path, known)
  return known
}

/** Whether a suite, or a file of test/ that it imports, starts something. */
function needsStores(suite: string): boolean {
  const reached = new Set([suite])
  for (const path of reached) {
    const text = readText(path)
    if (STARTS_SOMETHING.test(text)) return true
    for (const [, target] of text.matchAll(/from "(\.[^"]+)\.js"/g)) {
      const file = `${normalize(join(dirname(path), target as string))}.ts`
      if (file.startsWith("test/")) reached.add(file)
    }
  }
  return false
}

describe("the name of a suite", () => {
  test("says nothing when it needs neither stores nor processes, so that it runs in the unit tier", () => {
    const units = SUITES.filter((path) => !/\.(integration|soak)\.test\.ts$/.test(path))
    expect(units.length).toBeGreaterThan(100)
    expect(units.filter(needsStores)).toEqual([])
  })

  test("says integration only when it needs them", () => {
    const integration = SUITES.filter((path) => path.endsWith(".integration.test.ts"))
    expect(integration.length).toBeGreaterThan(50)
    expect(integration.filter((path) => !needsStores(path))).toEqual([])
  })
})
