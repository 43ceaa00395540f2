import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { toPostgresRegex, UntranslatableRegex } from "../../../../src/features/persons/directory/postgres-regex.js"
import { toInstant } from "../../../../src/flag-engine/operators/absolute-date.js"
import { compileLinearRegex } from "../../../../src/flag-engine/operators/linear-regex.js"
import { compileOperator } from "../../../../src/flag-engine/operators/operators.js"
import type { Json, JsonObject } from "../../../../src/kernel/json.js"
import { firstRows } from "../../../../src/kernel/paging.js"
import { Journey, NOW_MS, sent } from "../../ingestion/batches/journey.js"
import { type RealStores, startRealStores } from "../../ingestion/real-stores.js"
import { createTestPersons } from "../persons-app.js"

const ZONE = "Europe/Prague"
let stores: RealStores
beforeAll(async () => {
  stores = await startRealStores()
})
afterAll(() => stores.stop())

/** Which of the texts PostgreSQL finds a match in. */
async function matchesInPostgres(pattern: string, texts: readonly string[]): Promise<boolean[]> {
  const { text, ignoresCase } = toPostgresRegex(pattern)
  const { rows } = await stores.pool.query<{ found: boolean }>(
    `SELECT subject ${ignoresCase ? "~*" : "~"} $1 AS found FROM unnest($2::text[]) WITH ORDINALITY AS t (subject, at) ORDER BY at`,
    [text, texts],
  )
  return rows.map(({ found }) => found)
}

describe("a regular expression means in PostgreSQL what it means in flags:", () => {
  const TEXTS = [
    "",
    "a",
    "A",
    "ab",
    "aab",
    "b",
    "a.b",
    "a\nb",
    "ada@example.com",
    "x-1",
    "1",
    "12",
    "é",
    "{",
    "]",
    "\t",
    "a b",
  ]

  test.each([
    ["^a"],
    ["b$"],
    ["^$"],
    ["a.b"],
    ["(?s)a.b"],
    ["(?i)AB"],
    ["^[^@]+@example\\.com$"],
    ["\\d+"],
    ["^\\D$"],
    ["\\bb\\b"],
    ["\\Ba"],
    ["a{2}"],
    ["a{2,}b"],
    ["(a|b)+?$"],
    ["(?P<first>a)(?:b)"],
    ["[]]"],
    ["[^]a]"],
    ["[\\d\\-.]"],
    ["[[:digit:]-]"],
    ["[[]"],
    ["\\x{e9}|\\x41"],
    ["{"],
    ["a{,2}"],
    ["\\."],
    ["\\Aa\\z"],
    ["\\s"],
    ["a\\tb|\\t"],
    ["(a*)*b"],
  ])("%s", async (pattern) => {
    const { test } = compileLinearRegex(pattern)
    expect(await matchesInPostgres(pattern, TEXTS)).toEqual(TEXTS.map(test))
  })

  test("also when it is made at random", async () => {
    const atom = fc.constantFrom(
      "a",
      "b",
      ".",
      "\\d",
      "\\w",
      "\\S",
      "[ab]",
      "[^a]",
      "[a-c\\d]",
      "^",
      "$",
      "\\b",
      "\\.",
      "é",
    )
    const repeat = fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,3}", "*?", "+?")
    const piece = fc.tuple(atom, repeat).map(([one, times]) => (/^(\^|\$|\\b)$/.test(one) ? one : `${one}${times}`))
    const sequence = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(""))
    const pattern = fc
      .tuple(sequence, sequence, repeat, fc.boolean())
      .map(([left, right, times, ignoresCase]) => `${ignoresCase ? "(?i)" : ""}(?:${left}|${right})${times}`)
    const texts = fc.array(
      fc.string({ unit: fc.constantFrom("a", "b", "c", "A", "1", ".", "\n", " ", "é"), maxLength: 8 }),
    )
    await fc.assert(
      fc.asyncProperty(pattern, texts, async (written, subjects) => {
        expect(await matchesInPostgres(written, subjects)).toEqual(subjects.map(compileLinearRegex(written).test))
      }),
      { numRuns: 300, seed: 1 },
    )
  })

  test.each(["a(?i)b", "(?i:a)", "\\pL", "[[:^digit:]]", "a{256}", "\\Qa\\E"])("%s is refused", (pattern) => {
    expect(() => toPostgresRegex(pattern)).toThrow(UntranslatableRegex)
  })
})

test("a value is the same moment in PostgreSQL as in flags", async () => {
  const values: Json[] = [
    "2024-01-02T03:04:05.678Z",
    "2024-01-02 03:04",
    "2024/1/2",
    "2024-07-02",
    "2024-02-30",
    "2024-13-01",
    "yesterday",
    "2024-01-02T03:04:05+03",
    "2024-01-02T03:04:05-0530",
    "2024-01-02T03:04:05+05:30",
    "2024-01-02T25:00",
    "",

    "Tue, 02 Jan 2024 03:04:05 GMT",
    "2 Jan 2024 03:04:05 +0100",
    "1704164645",
    "1704164645.5",
    " 2024-01-02 ",
    "1e9",

    1704164645,
    1.5,
    -1,
    1e300,
    true,
    null,
    ["2024-01-02"],
    { a: 1 },
    "2024-01-02T03:04:60Z",
    "0x10",
    "2024-06-30T12:00:00,5Z",
  ]
  const { rows } = await stores.pool.query<{ seconds: number | null }>(
    "SELECT property_instant(value, $1) AS seconds FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS t (value, at) ORDER BY at",
    [ZONE, JSON.stringify(values)],
  )
  const inFlags = values.map((value) => {
    const instantMs = toInstant(value, ZONE)
    return [value, instantMs === null ? null : instantMs / 1000]
  })
  expect(rows.map(({ seconds }, at) => [values[at], seconds])).toEqual(inFlags)
})

describe("persons found by a condition are those that flags find", () => {
  const PROPERTIES: Readonly<Record<string, JsonObject>> = {
    none: {},
    pro: { plan: "Pro", seats: 12, since: "2025-05-30", mail: "ada@example.com" },
    free: { plan: "free", seats: "3", since: "2025-05-31T23:30:00", mail: "BO@EXAMPLE.ORG" },
    odd: { plan: 7, seats: "many", since: 1_700_000_000, mail: "o%d_d" },
    truth: { plan: true, seats: -1, since: "2025-06-01T09:00:00Z", mail: "é" },
  }
  let journey: Journey
  beforeAll(async () => {
    journey = new Journey(stores)
    const people = Object.entries(PROPERTIES)
    await journey.append(...people.map(([id, $set]) => sent("$set", id, { properties: { $set } })))
    await journey.work()
  })

  test.each<[operator: string, key: string, value: Json]>([
    ["exact", "plan", "PRO"],
    ["exact", "plan", ["pro", 7]],
    ["exact", "plan", true],
    ["is_not", "plan", "pro"],
    ["icontains", "plan", "R"],
    ["not_icontains", "plan", "r"],
    ["icontains", "mail", "%"],
    ["icontains_multi", "mail", ["example", "_"]],
    ["not_icontains_multi", "mail", ["example", "_"]],
    ["starts_with", "mail", "bo@"],
    ["not_starts_with", "mail", "bo@"],
    ["ends_with", "mail", ".Com"],
    ["not_ends_with", "mail", ".com"],
    ["regex", "mail", "^[a-z]+@example\\.(com|org)$"],
    ["regex", "mail", "(?i)^[a-z]+@example\\.(com|org)$"],
    ["not_regex", "mail", "^[a-z]+@"],
    ["gt", "seats", 3],
    ["gte", "seats", "3"],
    ["min", "seats", 3],
    ["lt", "seats", 3],
    ["max", "seats", 3],
    ["is_date_before", "since", "2025-06-01"],
    ["is_date_after", "since", "2025-05-30"],
    ["is_date_after", "since", "-24h"],
    ["is_date_before", "since", "1m"],
    ["is_date_exact", "since", "2025-05-30"],
    ["is_set", "plan", null],
    ["is_not_set", "plan", null],
  ])("%s %s %j", async (operator, key, value) => {
    const { service } = createTestPersons(stores)
    const request = { properties: [{ key, operator, value }] }
    const { items } = await service.list(journey.projectId, request, firstRows(100))
    const holds = compileOperator(operator, value, ZONE)
    const wanted = Object.values(PROPERTIES).filter((properties) =>
      holds(properties[key], NOW_MS + 1000, { workLeft: 1e9, fault: null }),
    )
    const sorted = (all: readonly JsonObject[]) => all.map((one) => JSON.stringify(Object.entries(one).sort())).sort()
    const found = items.map(({ properties: { $creator_event_uuid: _creator, ...own } }) => own as JsonObject)
    expect(sorted(found)).toEqual(sorted(wanted))
  })

  test("also where conditions are joined by OR, at any depth", async () => {
    const { service } = createTestPersons(stores)
    const propertyGroup = {
      type: "OR",
      conditions: [{ key: "plan", value: "pro" }],
      groups: [
        {
          conditions: [
            { key: "seats", operator: "lt", value: 5 },
            { key: "plan", operator: "is_set" },
          ],
          groups: [{}],
        },
      ],
    }
    const page = await service.list(journey.projectId, { propertyGroup }, firstRows(1))
    expect(await page.countAll()).toBe(3)
    const both = { propertyGroup, properties: [{ key: "plan", value: "free" }] }
    expect(await (await service.list(journey.projectId, both, firstRows(9))).countAll()).toBe(1)
  })

  test.each<[request: object, detail: RegExp]>([
    [{ properties: [{ key: "a", operator: "semver_gt", value: "1" }] }, /no operator "semver_gt"/],
    [{ properties: [{ key: "a", operator: "regex", value: "(" }] }, /regular expression for "a"/],
    [{ properties: [{ key: "a", operator: "regex", value: "(?=a)" }] }, /look-around/],
    [{ properties: [{ key: "a", operator: "regex", value: "a(?i)b" }] }, /flags inside/],
    [{ properties: [{ key: "a", operator: "regex", value: 5 }] }, /as text/],
    [{ properties: [{ key: "a", operator: "is_date_before", value: "soon" }] }, /ISO 8601/],
    [{ propertyGroup: { type: "XOR" } }, /AND or OR/],
    [{ properties: Array(51).fill({ key: "a", value: 1 }) }, /At most 50/],
    [{ propertyGroup: { groups: Array(101).fill({}) } }, /At most 100 groups/],
  ])("%j is refused with the rule", async (request, detail) => {
    const { service } = createTestPersons(stores)
    await expect(service.list(journey.projectId, request, firstRows(1))).rejects.toMatchObject({
      code: "invalid_input",
      details: { attr: "properties", detail: expect.stringMatching(detail) },
    })
  })
})
