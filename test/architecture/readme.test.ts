import { readFileSync } from "node:fs"
import { describe, expect, test } from "@jest/globals"

const readme = readFileSync("README.md", "utf8")

describe("the README", () => {
  test("names the two commands and every variable of the environment", () => {
    expect(readme).toContain("npm ci && npm start")
    expect(readme).toContain("npm ci && npm test")
    const variables = [
      ...readFileSync("src/app/environment.ts", "utf8").matchAll(/^ +(?:\w+: \[)?"([A-Z][A-Z_]+)",/gm),
    ].map(([, name]) => name)
    expect(variables.length).toBeGreaterThan(10)
    expect(variables.filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
  })
})
