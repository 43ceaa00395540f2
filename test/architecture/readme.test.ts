import { readFileSync } from "node:fs"
import { describe, expect, test } from "@jest/globals"

describe("the documents", () => {
  test("name the two commands first", () => {
    const readme = readFileSync("README.md", "utf8")
    expect(readme).toContain("npm ci && npm start")
    expect(readme).toContain("npm ci && npm test")
  })

  test("name every variable of the environment", () => {
    const configuration = readFileSync("docs/configuration.md", "utf8")
    const variables = [
      ...readFileSync("src/app/environment.ts", "utf8").matchAll(/^ +(?:\w+: \[)?"([A-Z][A-Z_]+)",/gm),
    ].map(([, name]) => name)
    expect(variables.length).toBeGreaterThan(10)
    expect(variables.filter((name) => !configuration.includes(`\`${name}\``))).toEqual([])
  })
})
