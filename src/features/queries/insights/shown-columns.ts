import { type Expression, nodes, parseExpression } from "../../../hogql/index.js"
import type { Json, JsonObject } from "../../../kernel/json.js"

const { field } = nodes

/** A column of a table that is shown: what is read for it, and how its cell is made of that. */
export interface ShownColumn {
  /** As it was asked for. */
  readonly name: string
  readonly expressions: readonly Expression[]
  readonly cell: (values: readonly Json[]) => Json
}

const EVENT_FIELDS = [
  ...["uuid", "event", "properties", "timestamp", "team_id", "distinct_id", "elements_chain", "created_at"],
  "person_mode",
]

const object =
  (names: readonly string[]) =>
  (values: readonly Json[]): Json =>
    Object.fromEntries(
      names.map((name, index) => [name, name === "properties" ? parsed(values[index]) : (values[index] ?? null)]),
    )

/** Properties come as text; an object or nothing goes out. */
export function parsed(value: Json | undefined): JsonObject {
  try {
    return typeof value === "string" && value !== "" ? (JSON.parse(value) as JsonObject) : {}
  } catch {
    return {}
  }
}

/**
 * A column of `EventsQuery`: `*` is the event and `person` its person, both as objects; anything else is an expression.
 * @throws HogqlError of kind `syntax`
 */
export async function toShownColumn(text: string): Promise<ShownColumn> {
  const name = text.split("--")[0]?.trim()
  if (name === "*")
    return { name: text, expressions: EVENT_FIELDS.map((item) => field([item])), cell: object(EVENT_FIELDS) }
  if (name === "person")
    return {
      name: text,
      expressions: [
        field(["person_id"]),
        field(["person", "created_at"]),
        field(["person", "properties"]),
        field(["distinct_id"]),
      ],
      cell: object(EVENT_PERSON_PARTS),
    }
  return { name: text, expressions: [await parseExpression(text)], cell: ([value]) => value ?? null }
}

const ACTOR_PARTS = ["id", "created_at", "properties", "is_identified"]
const EVENT_PERSON_PARTS = ["uuid", "created_at", "properties", "distinct_id"]

/** What a table's columns are called when each part of an object is a column of its own, as in an export. */
export function partNames(kind: string, columns: readonly string[]): string[] {
  const isEvents = kind === "EventsQuery"
  return columns.flatMap((column) => {
    const name = column.split("--")[0]?.trim() ?? ""
    if (isEvents && name === "*") return EVENT_FIELDS
    if (isEvents && name === "person") return EVENT_PERSON_PARTS.map((part) => `person.${part}`)
    if (isEvents || kind === "GroupsQuery") return [column]
    if (name === "person.$delete") return []
    return name === "person" || name === "actor" ? ACTOR_PARTS.map((part) => `${name}.${part}`) : [column]
  })
}

/** Rows with one cell per shown column. */
export const showRows = (rows: readonly (readonly Json[])[], columns: readonly ShownColumn[]): Json[][] =>
  rows.map((row) => perColumn(row, columns).map((values, index) => columns[index]?.cell(values) ?? null))

/** The items of a row by the shown column that they belong to. */
export function perColumn<Item>(row: readonly Item[], columns: readonly ShownColumn[]): Item[][] {
  let start = 0
  return columns.map(({ expressions }) => {
    const own = row.slice(start, start + expressions.length)
    start += expressions.length
    return own
  })
}
