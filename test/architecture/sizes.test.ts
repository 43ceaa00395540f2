import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "@jest/globals"

const MAX_LINES = 400
const MAX_MEDIAN_LINES = 90

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.includes("/generated/"))
  .map((path) => {
    const text = readFileSync(join("src", path), "utf8")
    return { path, text, lines: text.split("\n").length - 1 }
  })

describe("the source files", () => {
  test("have no more than 400 lines each", () => {
    expect(sources.filter(({ lines }) => lines > MAX_LINES).map(({ path, lines }) => `${path}: ${lines}`)).toEqual([])
  })

  test("have at most 90 lines in the middle of the list", () => {
    const sorted = sources.map(({ lines }) => lines).sort((a, b) => a - b)
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(MAX_MEDIAN_LINES)
  })

  test("take time and chance from the platform folder only", () => {
    const offenders = sources.filter(
      ({ path, text }) => !path.startsWith("platform/") && /\bDate\.now\(|\bMath\.random\(|\brandomUUID\(/.test(text),
    )
    expect(offenders.map(({ path }) => path)).toEqual([])
  })
})
