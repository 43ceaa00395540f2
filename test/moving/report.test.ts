import { describe, expect, test } from "@jest/globals"
import { count, createReport, describeReport } from "../../src/moving/report.js"

describe("the report of an import", () => {
  test("counts columns that are called as what every object has", () => {
    const report = createReport()
    for (const name of ["constructor", "toString", "__proto__"]) count(report.unknownColumns, name, "line 1")
    count(report.unknownColumns, "constructor", "line 2")
    expect(describeReport(report)).toContain("unknown column: constructor, 2 rows, such as line 1; line 2")
    expect(Object.prototype).not.toHaveProperty("count")
  })
})
