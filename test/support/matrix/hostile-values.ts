const DEEP = JSON.parse(`${'{"a":'.repeat(200)}1${"}".repeat(200)}`) as unknown
const LONG = "ß".repeat(9_000)

const TEXTS: readonly unknown[] = [
  null,
  "",
  " ",
  "\u0000",
  "\ud800",
  "'; DROP TABLE person; --",
  "%_\\",
  "__proto__",
  "🙂 ünï",
  LONG,
]
const IDS: readonly unknown[] = [null, "", "0", "-1", "1e3", "4711", "9".repeat(30), "\u0000", "__proto__"]
const NUMBERS: readonly unknown[] = [null, 0, -1, 2_147_483_647, -2_147_483_648, 32_768]
const TIMES: readonly unknown[] = [
  null,
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
  "1900-01-01T00:00:00Z",
  "-7d",
  "",
]
const JSON_VALUES: readonly unknown[] = [
  null,
  [],
  {},
  0,
  1e308,
  "x",
  [null],
  { "": "" },
  JSON.parse('{"__proto__":{"x":1}}'),
  { constructor: { prototype: {} } },
  [{ key: null, value: "\u0000", operator: "regex" }],
  [{ key: "a", value: "(", operator: "regex", type: "person" }],
  { kind: "HogQLQuery", query: "\u0000" },
  { kind: "EventsQuery", select: null },
  DEEP,
]

/** Values of a scalar that have broken servers before; unknown scalars are given all. */
export function hostileValuesOf(scalar: string): readonly unknown[] {
  if (scalar === "Int" || scalar === "Float") return NUMBERS
  if (scalar === "ID") return IDS
  if (scalar === "Boolean") return [null, "yes"]
  if (scalar === "DateTimeISO") return TIMES
  return scalar === "String" ? TEXTS : JSON_VALUES
}
