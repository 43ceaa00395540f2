import { describe, expect, test } from "@jest/globals"
import { readPathCleaning } from "../../../src/features/projects/path-cleaning.js"
import { checkProject } from "../../../src/features/projects/project.rules.js"
import type { Json } from "../../../src/kernel/json.js"

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

describe("the rules for paths of a project", () => {
  const IDS = { regex: "/users/(\\d+)", alias: "/users/<id>" }
  const faultOf = (rules: Json): unknown => {
    try {
      return checkProject({ settings: { path_cleaning_filters: rules } })
    } catch (fault) {
      return fault
    }
  }

  test.each<[string, Json, string, string]>([
    ["no list", "x", "", "must be a list"],
    ["too many", Array.from({ length: 51 }, () => IDS), "", "must have at most 50 items"],
    ["no object", [IDS, "x"], "__1", "must be an object"],
    ["an unknown field", [{ ...IDS, id: 1 }], "__0__id", "is not a field of a rule, which has regex, alias, order"],
    ["no expression", [{ alias: "x" }], "__0__regex", "is required and must be a text"],
    ["an empty expression", [{ ...IDS, regex: "" }], "__0__regex", "is required and must be a text"],
    ["a long expression", [{ regex: "a".repeat(1001) }], "__0__regex", "must have no more than 1000 characters"],
    ["an alias that is no text", [{ ...IDS, alias: 1 }], "__0__alias", "must be a text"],
    ["an order that is no number", [{ ...IDS, order: "1" }], "__0__order", "must be a number"],
    [
      "an expression that RE2 cannot read",
      [IDS, { regex: "/(?=x)", alias: "" }],
      "__1__regex",
      "is not a usable regular expression: uses look-around, which is not supported",
    ],
    [
      "a group that there is not",
      [{ ...IDS, alias: "\\\\2\\1/\\2" }],
      "__0__alias",
      "names group 2, but the regular expression has 1",
    ],
  ])("refuse %s", (_, rules, path, rule) => {
    const attr = `path_cleaning_filters${path}`
    expect(faultOf(rules)).toMatchObject({ message: `${attr} ${rule}.`, details: { attr } })
  })

  test("may be given in a field of their own, beside other settings", () => {
    const given = { settings: { theme: "dark" }, pathCleaningFilters: [IDS] }
    expect(checkProject(given)).toEqual({
      settings: { theme: "dark", path_cleaning_filters: [{ ...IDS, order: 0 }] },
    })
    const twice = { ...given, settings: { path_cleaning_filters: [] } }
    expect(() => checkProject(twice)).toThrow("path_cleaning_filters cannot be given in settings as well.")
  })

  test("are read in their order; one without it is ordered by its place", () => {
    const rules = ["c", "b", "a"].map((regex) => ({ regex, alias: regex }))
    const [c, b, a] = rules
    expect(readPathCleaning({ path_cleaning_filters: rules })).toEqual([c, b, a])
    const ordered = [{ ...c, order: 2 }, { regex: "b", alias: null }, { ...a, order: 0.5 }, "none"]
    expect(readPathCleaning({ path_cleaning_filters: ordered as Json[] })).toEqual([a, { regex: "b", alias: "" }, c])
    expect(readPathCleaning({})).toEqual([])
  })
})
