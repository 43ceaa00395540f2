import fc from "fast-check"
import { toEventRow } from "../../../../src/features/ingestion/rows/event-row.js"
import { asPersonId, asProjectId } from "../../../../src/kernel/ids.js"
import type { JsonObject } from "../../../../src/kernel/json.js"

const PERSON = asPersonId("0190d000-0000-7000-8000-0000000000a1")

/** The row that ingestion writes of an event with these properties. */
export const toRow = (projectId: number, properties: JsonObject, index: number): string =>
  toEventRow(
    {
      projectId: asProjectId(projectId),
      uuid: `0190d001-0000-7000-8000-${String(index).padStart(12, "0")}`,
      event: index % 3 === 0 ? "$pageview" : "other",
      distinctId: `id-${index % 7}`,
      timestamp: `2024-03-10T00:00:${String(index % 60).padStart(2, "0")}.000Z`,
      timestampMs: 0,
      clientTimestamp: null,
      receivedAtMs: 0,
      clientIp: "",
      historicalMigration: false,
      properties,
      elementsChain: "",
      foundProperties: undefined,
    },
    {
      kept: true,
      properties,
      person: { id: PERSON, createdAtMs: 0, propertiesJson: "{}", copiedJson: "{}" },
      personMode: "full",
      groupKeys: ["", "", "", "", ""],
      warnings: [],
    },
    1,
    index,
  )

const TEXTS = ["", "say \"hi\"\t'é'\\N", "\\N", "\n", "\r\n", "a\u2028b", "😀", "%_", "[]"]
const WORDS = "null true false 0 1 12.5 1e3 chrome Chrome 2024-03-01 2024-03-01T10:00:00Z".split(" ")
const NUMBERS = [0, -0, 1, 12.5, 1e-7, 1e20, -1e20, 2 ** 53 + 2, 2 ** 63, -(2 ** 63), 2 ** 64, 1.7e308, 5e-324, 1e14]
const TREES: JsonObject[string][] = [
  {},
  { a: { b: ["é\\"] }, "\u2029": 2 ** 64 },
  ["x", null, 1e20, 1e21, "\u2028\u0001\b\f/"],
]
const VALUES: JsonObject[string][] = [...TEXTS, ...WORDS, ...NUMBERS, ...TREES, [], null, true, false]
/** Values of properties, most of all those that one reading might take for something else. */
export const propertyValues = fc.oneof(
  fc.constantFrom(...VALUES),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: "grapheme" }),
) as fc.Arbitrary<JsonObject[string]>
