import { type Alias, type Expression, hasAggregate, nodes, parseExpression } from "../../../hogql/index.js"
import type { Json, JsonObject } from "../../../kernel/json.js"

const { alias, field } = nodes

/** A column of a table that is shown: what is read for it, and how its cell is made of that. */
export interface ShownColumn {
  /** As it was asked for. */
  readonly name: string
  readonly expressions: readonly Expression[]
  readonly toCell: (values: readonly Json[]) => Json
}

const EVENT_FIELDS = [
  "uuid",
  "event",
  "properties",
  "timestamp",
  "team_id",
  "distinct_id",
  "elements_chain",
  "created_at",
  "person_mode",
]
const SESSION_FIELDS = [
  "session_id",
  "distinct_id",
  "$start_timestamp",
  "$end_timestamp",
  "$session_duration",
  "$entry_current_url",
  "$end_current_url",
  "$pageview_count",
  "$autocapture_count",
  "$screen_count",
  "$is_bounce",
]
const EVENT_PERSON_PARTS = ["uuid", "created_at", "properties", "distinct_id"]
const ACTOR_PARTS = ["id", "created_at", "properties", "is_identified"]

const toObject =
  (names: readonly string[]) =>
  (values: readonly Json[]): Json =>
    Object.fromEntries(
      names.map((name, index) => [name, name === "properties" ? parseObject(values[index]) : (values[index] ?? null)]),
    )

/** Properties come as text; an object or nothing goes out. */
export function parseObject(value: Json | undefined): JsonObject {
  try {
    return typeof value === "string" && value !== "" ? (JSON.parse(value) as JsonObject) : {}
  } catch {
    return {}
  }
}

/** A column that shows what an expression gives. @throws HogqlError of kind `syntax`. */
const toPlainColumn = (text: string): ShownColumn => ({
  name: text,
  expressions: [parseExpression(text)],
  toCell: ([value]) => value ?? null,
})

/** The name of a column before its comment: `person -- who`. */
const toColumnName = (text: string): string => text.split("--")[0]?.trim() ?? ""

/**
 * A column of `EventsQuery`: `*` is the event and `person` its person, both as objects; anything else is an expression.
 * @throws HogqlError of kind `syntax`
 */
export function toEventColumn(text: string): ShownColumn {
  const name = toColumnName(text)
  if (name === "*")
    return { name: text, expressions: EVENT_FIELDS.map((item) => field([item])), toCell: toObject(EVENT_FIELDS) }
  if (name !== "person") return toPlainColumn(text)
  const chains = [["person_id"], ["person", "created_at"], ["person", "properties"], ["distinct_id"]]
  return { name: text, expressions: chains.map((chain) => field(chain)), toCell: toObject(EVENT_PERSON_PARTS) }
}

/**
 * A column of `SessionsQuery`: `*` is the session as an object, `session.x` the same as `x`; anything else is an
 * expression.
 *
 * @throws HogqlError of kind `syntax`
 */
export function toSessionColumn(text: string): ShownColumn {
  const name = toColumnName(text)
  if (name === "*")
    return { name: text, expressions: SESSION_FIELDS.map((item) => field([item])), toCell: toObject(SESSION_FIELDS) }
  const own = /^session\.(\$?\w+)$/.exec(name)?.[1]
  return own === undefined ? toPlainColumn(text) : { ...toPlainColumn(own), name: text }
}

/** A column of `ActorsQuery`: `person` or `actor` as an object; anything else is an expression. */
export function toActorColumn(text: string): ShownColumn {
  const name = toColumnName(text)
  // A place for a button, which clients fill.
  if (name === "person.$delete") return { name: text, expressions: [], toCell: () => null }
  if (name !== "person" && name !== "actor") return toPlainColumn(text)
  return {
    name: text,
    expressions: ACTOR_PARTS.map((part) => field([part])),
    toCell: ([id = null, created_at = null, properties, is_identified = null]) => ({
      id,
      uuid: id,
      created_at,
      properties: parseObject(properties),
      is_identified,
      distinct_ids: [],
    }),
  }
}

/** What a table's columns are called when each part of an object is a column of its own, as in an export. */
export function toPartNames(kind: string, columns: readonly string[]): string[] {
  const isEvents = kind === "EventsQuery"
  return columns.flatMap((column) => {
    const name = toColumnName(column)
    if (isEvents && name === "*") return EVENT_FIELDS
    if (isEvents && name === "person") return EVENT_PERSON_PARTS.map((part) => `person.${part}`)
    if (isEvents || kind === "GroupsQuery") return [column]
    if (name === "person.$delete") return []
    return name === "person" || name === "actor" ? ACTOR_PARTS.map((part) => `${name}.${part}`) : [column]
  })
}

/** Rows with one cell per shown column. */
export const showRows = (rows: readonly (readonly Json[])[], columns: readonly ShownColumn[]): Json[][] =>
  rows.map((row) => groupByColumn(row, columns).map((values, index) => columns[index]?.toCell(values) ?? null))

/** The items of a row by the shown column that they belong to. */
export function groupByColumn<Item>(row: readonly Item[], columns: readonly ShownColumn[]): Item[][] {
  let start = 0
  return columns.map(({ expressions }) => {
    const own = row.slice(start, start + expressions.length)
    start += expressions.length
    return own
  })
}

/** Expressions as the columns of a SELECT, each with a name. */
export const nameColumns = (expressions: readonly Expression[]): Alias[] =>
  expressions.map((item, index) => (item.kind === "alias" ? item : alias(`column_${index}`, item)))

/** What rows are grouped by when some columns aggregate them: the others. Empty when none does. */
export const toGroupBy = (expressions: readonly Expression[]): Expression[] =>
  expressions.some(hasAggregate) ? expressions.filter((item) => !hasAggregate(item)).map(withoutAlias) : []

/** The expression behind `x AS name`; any other as it is. */
export const withoutAlias = (item: Expression): Expression => (item.kind === "alias" ? item.expression : item)
