import type { HogqlScope } from "../hogql.types.js"
import { HogqlError } from "../hogql-error.js"
import { and, arithmetic, call, compare, constant, field } from "../nodes/make.js"
import type { CompareOperator, Expression, Span } from "../nodes/nodes.js"
import { dateBound } from "./dates.js"
import { propertyCondition } from "./property-filters.js"

/** Makes the error for a field of a condition that breaks a rule; the rule goes on after the field's name. */
export type RefuseField = (field: string, rule: string) => Error

/** A condition of a cohort on what persons did, as it was saved. */
export type BehaviourLeaf = Readonly<Record<string, unknown>>

/** Units of a distance: the letter that dates of filters have for it, its function, and how many there may be at most. */
const UNITS: ReadonlyMap<unknown, { readonly letter: string; readonly interval: string; readonly max: number }> =
  new Map(
    Object.entries({
      minute: { letter: "M", interval: "toIntervalMinute", max: 1_000_000 },
      hour: { letter: "h", interval: "toIntervalHour", max: 100_000 },
      day: { letter: "d", interval: "toIntervalDay", max: 36_500 },
      week: { letter: "w", interval: "toIntervalWeek", max: 5_200 },
      month: { letter: "m", interval: "toIntervalMonth", max: 1_200 },
      year: { letter: "y", interval: "toIntervalYear", max: 100 },
    }),
  )
const COUNTS: ReadonlyMap<unknown, CompareOperator> = new Map<unknown, CompareOperator>([
  ["gte", ">="],
  ["lte", "<="],
  ["gt", ">"],
  ["lt", "<"],
  ["eq", "=="],
  ["exact", "=="],
])
const MAX_EVENTS = 1_000_000
const TIMESTAMP = field(["events", "timestamp"])

/**
 * Reads the fields of a condition on what persons did, each as a part of a query on events
 * (`docs/contract/cohorts.md#behaviour`).
 */
export class BehaviourFields {
  constructor(
    private readonly leaf: BehaviourLeaf,
    private readonly refuse: RefuseField,
    private readonly at: Span,
    private readonly scope: Partial<Pick<HogqlScope, "nowMs">>,
  ) {}

  /** An event of the name, or of the action; `seq_event` is the one that follows. */
  event(key: "key" | "seq_event" = "key"): Expression {
    const typeField = key === "key" ? "event_type" : "seq_event_type"
    const type = this.leaf[typeField]
    const named = this.leaf[key]
    if (type === "events") {
      if (typeof named !== "string" || named === "") throw this.refuse(key, "must be the name of an event")
      return compare("==", field(["events", "event"]), constant(named))
    }
    if (type !== "actions") throw this.refuse(typeField, "must be events or actions")
    const id = toWholeNumber(named)
    if (id === null) throw this.refuse(key, "must be the number of an action")
    return call("matchesAction", [constant(id)])
  }

  /** What must hold for the event besides. */
  filters(): readonly Expression[] {
    const filters = this.leaf.event_filters ?? []
    if (!Array.isArray(filters)) throw this.refuse("event_filters", "must be a list")
    if (filters.length === 0) return []
    return [this.readPart("event_filters", () => propertyCondition(filters, "events", this.at))]
  }

  /** When it happened: since a date and to the end of the day of another, or since some time ago. */
  range(): readonly Expression[] {
    const { explicit_datetime: from, explicit_datetime_to: to } = this.leaf
    if (from == null) return [compare(">=", TIMESTAMP, this.ago("time"))]
    const [first, last] = [this.date("explicit_datetime", from), this.date("explicit_datetime_to", to ?? "all")]
    return [
      ...(first === null ? [] : [compare(">=", TIMESTAMP, first)]),
      ...(last === null ? [] : [compare("<", TIMESTAMP, toEndOfDay(last))]),
    ]
  }

  /** `time_value` times `time_interval` ago, or `times` as long: the beginning of that day, and exact within days. */
  ago(name: "time" | "seq_time", times = 1): Expression {
    const { value, unit } = this.distance(name)
    const bound = dateBound(`-${value * times}${unit.letter}`, this.at, this.scope)
    if (bound === null) throw new Error("A distance always leads to a time.")
    return bound
  }

  /** The same as a length of time. */
  length(name: "time" | "seq_time"): Expression {
    const { value, unit } = this.distance(name)
    return call(unit.interval, [constant(value)])
  }

  /** How often it happened, which is once at least. */
  count(happened: Expression): Expression {
    const comparison = COUNTS.get(this.leaf.operator ?? "exact")
    if (comparison === undefined) throw this.refuse("operator", `must be one of ${[...COUNTS.keys()].join(", ")}`)
    const wanted = constant(this.wholeNumber("operator_value", MAX_EVENTS))
    return and([compare(">", happened, constant(0)), compare(comparison, happened, wanted)])
  }

  /** A whole number from 1 on, which may be written as text. */
  wholeNumber(name: string, max: number): number {
    const value = toWholeNumber(this.leaf[name])
    if (value === null || value < 1 || value > max) throw this.refuse(name, `must be a whole number from 1 to ${max}`)
    return value
  }

  private distance(name: "time" | "seq_time") {
    const unit = UNITS.get(this.leaf[`${name}_interval`])
    if (unit === undefined) throw this.refuse(`${name}_interval`, `must be one of ${[...UNITS.keys()].join(", ")}`)
    return { value: this.wholeNumber(`${name}_value`, unit.max), unit }
  }

  private date(name: string, written: unknown): Expression | null {
    if (typeof written !== "string") throw this.refuse(name, "must be a date")
    return this.readPart(name, () => dateBound(written, this.at, this.scope))
  }

  /** Errors in a part name its field. */
  private readPart<Part>(name: string, read: () => Part): Part {
    try {
      return read()
    } catch (failure) {
      if (!(failure instanceof HogqlError)) throw failure
      throw this.refuse(name, `cannot be read: ${failure.message.replace(/\.$/, "")}`)
    }
  }
}

const toEndOfDay = (time: Expression): Expression =>
  arithmetic("+", call("toStartOfDay", [time]), call("toIntervalDay", [constant(1)]))

function toWholeNumber(value: unknown): number | null {
  const isWritten = typeof value === "number" || typeof value === "string"
  return isWritten && /^\d{1,9}$/.test(String(value)) ? Number(value) : null
}
