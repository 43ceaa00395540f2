import { readdirSync } from "node:fs"
import { afterAll, describe, expect, it } from "@jest/globals"
import { copyOfTemplate } from "../support/store-templates.js"

/** Without it every suite would quietly make its stores anew, which costs as much as most suites themselves. */
describe("A copy of a template", () => {
  const copies = [copyOfTemplate("stores"), copyOfTemplate("server")]
  afterAll(() => {
    for (const copy of copies) copy.remove()
  })

  it("has the stores where a server looks for them", () => {
    for (const { path } of copies) {
      expect(readdirSync(path)).toEqual(expect.arrayContaining(["clickhouse", "postgres"]))
      expect(readdirSync(`${path}/postgres`)).toContain("data")
    }
  })
})
