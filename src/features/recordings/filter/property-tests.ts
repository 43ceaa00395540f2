import { nodes } from "../../../hogql/index.js"
import { AppError } from "../../../kernel/errors.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import {
  bindSelect,
  type FilterContext,
  type FilteredTable,
  MAX_DEPTH,
  orFault,
  TOO_DEEP,
  toCondition,
} from "./bound-selects.js"
import { findPositive, toRecordingTest } from "./recording-property.js"
import { joinTests, type SessionTest } from "./session-test.types.js"

const { compare, constant, field } = nodes

const TABLES_BY_TYPE: ReadonlyMap<Json, FilteredTable> = new Map([
  ["person", "person_distinct_ids"],
  ["cohort", "person_distinct_ids"],
  ["session", "sessions"],
])
const LINE_KEYS = ["level", "message"]

/** Reads property filters of one field of the request, which faults name. */
export class PropertyTests {
  constructor(
    private readonly attr: string,
    private readonly context: FilterContext,
  ) {}

  /**
   * Filters as insights write them: a list, joined by `kind`, a group `{type: "AND" | "OR", values}` or one. What is said of
   * events, groups and HogQL holds for some event of the session; what is denied holds for none of them. Conditions on the
   * console that stand side by side in a list joined by "all" are about one and the same line.
   * @throws AppError invalid_input.
   */
  read(filters: Json, kind: "all" | "any", depth = 0): SessionTest | null {
    if (depth > MAX_DEPTH) throw this.fault(TOO_DEEP)
    if (isJsonObject(filters) && Array.isArray(filters.values) && (filters.type === "AND" || filters.type === "OR"))
      return this.read(filters.values, filters.type === "OR" ? "any" : "all", depth + 1)
    if (!Array.isArray(filters)) return this.one(filters)
    const isLine = (item: Json): boolean => isJsonObject(item) && item.type === "log_entry"
    const lines = kind === "all" ? filters.filter(isLine) : []
    const others = lines.length > 1 ? filters.filter((item) => !isLine(item)) : filters
    const tests = others.map((item) => this.read(item, "all", depth + 1))
    return joinTests(kind, lines.length > 1 ? [...tests, this.line(lines)] : tests)
  }

  private one(filter: Json): SessionTest | null {
    if (!isJsonObject(filter)) throw this.fault("Each property filter must be an object with a key and a value.")
    if (Object.keys(filter).length === 0) return null
    const { type = "event", operator = "exact" } = filter
    if (type === "recording") return toRecordingTest(this.attr, filter)
    const positive = findPositive(operator)
    if (positive !== undefined && type !== "hogql") {
      const test = this.one({ ...filter, operator: positive })
      return test === null ? null : { kind: "not", test }
    }
    if (type === "log_entry") return this.line([filter])
    const table = TABLES_BY_TYPE.get(type) ?? "events"
    const select = orFault(this.attr, () => bindSelect(table, [toCondition(table, filter)], this.context))
    return { kind: table === "person_distinct_ids" ? "distinct_id_in" : "session_in", select }
  }

  /** Some line of the console for which all of these hold. */
  private line(filters: readonly Json[]): SessionTest {
    const conditions = filters.filter(isJsonObject).map(({ key, ...rest }) => {
      if (!LINE_KEYS.includes(String(key))) throw this.fault("key must be level or message.")
      const value = key === "level" ? toStoredLevels(rest.value ?? null) : (rest.value ?? null)
      const written = { ...rest, key: String(key), value, type: "event_metadata" }
      return orFault(this.attr, () => toCondition("log_entries", written))
    })
    const ofSessions = compare("==", field(["log_entries", "log_source"]), constant("session_replay"))
    const select = orFault(this.attr, () => bindSelect("log_entries", [ofSessions, ...conditions], this.context))
    return { kind: "session_in", select }
  }

  private fault(detail: string): AppError {
    return new AppError("invalid_input", { attr: this.attr, detail })
  }
}

/** Browsers say `log`, lines are kept as `info`. */
function toStoredLevels(value: Json): Json {
  if (Array.isArray(value)) return value.map(toStoredLevels)
  return value === "log" ? "info" : value
}
