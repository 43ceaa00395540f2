import { describe, expect, test } from "@jest/globals"
import { checkProject } from "../../../src/features/projects/project.rules.js"

describe("the fields of a project", () => {
  test.each([
    ["Europe/Prague", "Europe/Prague"],
    ["europe/prague", "Europe/Prague"],
    ["EUROPE/PRAGUE", "Europe/Prague"],
    ["utc", "UTC"],
    ["Asia/Kathmandu", "Asia/Kathmandu"],
    ["America/Port-au-Prince", "America/Port-au-Prince"],
  ])("time zone %s is kept as %s, since ClickHouse tells capitals apart", (given, kept) => {
    expect(checkProject({ timezone: given })).toEqual({ timezone: kept })
  })

  test("an alias in odd capitals becomes a name that exists", () => {
    expect(["Asia/Kathmandu", "Asia/Katmandu"]).toContain(checkProject({ timezone: "ASIA/KATHMANDU" }).timezone)
  })

  test.each(["", "+02:00", "Mars/Olympus", "Europe/Prague ", "Europe"])("%j is no time zone", (timezone) => {
    expect(() => checkProject({ timezone })).toThrow("timezone must be an IANA name such as Europe/Prague.")
  })

  test("absent and null fields are left alone", () => {
    expect(checkProject({ name: null, timezone: undefined, settings: null })).toEqual({})
  })

  test("settings too large to travel with every look-up are refused", () => {
    expect(() => checkProject({ settings: { text: "x".repeat(100_001) } })).toThrow(/no more than 100000 characters/)
  })
})
