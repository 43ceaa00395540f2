import { readFileSync } from "node:fs"
import { describe, expect, test } from "@jest/globals"
import { restRoutes } from "../../src/transport/rest/routes/index.js"

const readme = readFileSync("README.md", "utf8")

describe("the README", () => {
  test("lists exactly the documented rows that are not built yet", () => {
    const unbuilt = restRoutes
      .filter(({ target }) => target === "unbuilt")
      .map(({ method, path }) => `${method} ${path}`)
    const listed = [...readme.matchAll(/^- `([A-Z]+ \/api\/[^`]+)`$/gm)].map(([, row]) => row)
    expect(listed.sort()).toEqual(unbuilt.sort())
  })

  test("names the two commands and every variable of the environment", () => {
    expect(readme).toContain("npm ci && npm start")
    expect(readme).toContain("npm ci && npm test")
    const variables = [...readFileSync("src/app/environment.ts", "utf8").matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(
      ([, name]) => name,
    )
    expect(variables.length).toBeGreaterThan(10)
    expect(variables.filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
  })
})
