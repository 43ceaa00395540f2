import { AppError } from "../../../kernel/errors.js"
import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"

interface NumberRule {
  readonly min?: number
  readonly max?: number
}

/**
 * Reads the fields of a query object, or of an object inside it. Absent and null are the same; a field of the wrong shape
 * is refused with the kind's and the field's name.
 */
export class QueryReader {
  /** @param path name of the kind, then of each field on the way here: `TrendsQuery.trendsFilter` */
  constructor(
    readonly json: JsonObject,
    private readonly path: string,
  ) {}

  /** The fault for a field that breaks a rule: "must …". */
  fault(field: string, rule: string): AppError {
    return new AppError("parse_error", {
      attr: ["query", ...this.path.split(".").slice(1), field].join("__").replaceAll(/\[(\d+)\]/g, "__$1"),
      detail: `JSON parse error - 1 validation error(s) for QueryRequest: ${this.path}.${field} ${rule}.`,
    })
  }

  value(field: string): Json {
    return Object.hasOwn(this.json, field) ? (this.json[field] ?? null) : null
  }

  text(field: string): string | null {
    const value = this.value(field)
    if (value === null || typeof value === "string") return value
    throw this.fault(field, "must be a text")
  }

  requiredText(field: string): string {
    const text = this.text(field)
    if (text === null) throw this.fault(field, "is required and must be a text")
    return text
  }

  flag(field: string): boolean {
    const value = this.value(field)
    if (value === null || typeof value === "boolean") return value === true
    throw this.fault(field, "must be true or false")
  }

  number(field: string, { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }: NumberRule = {}) {
    const value = this.value(field)
    if (value === null) return null
    if (typeof value === "number" && value >= min && value <= max) return value
    throw this.fault(field, `must be a number from ${min} to ${max}`)
  }

  integer(field: string, rule: NumberRule = {}): number | null {
    const value = this.number(field, rule)
    if (value === null || Number.isSafeInteger(value)) return value
    throw this.fault(field, "must be a whole number")
  }

  choice<Choice extends string>(field: string, choices: readonly Choice[], fallback: Choice): Choice {
    const value = this.value(field)
    if (value === null) return fallback
    const known = choices.find((choice) => choice === value)
    if (known !== undefined) return known
    throw this.fault(field, `must be one of: ${choices.join(", ")}`)
  }

  list(field: string, { max = 1000 }: { max?: number } = {}): Json[] | null {
    const value = this.value(field)
    if (value === null) return null
    if (!Array.isArray(value)) throw this.fault(field, "must be a list")
    if (value.length > max) throw this.fault(field, `must have at most ${max} items`)
    return value
  }

  strings(field: string, rule: { max?: number } = {}): string[] | null {
    const list = this.list(field, rule)
    if (list === null || list.every((item) => typeof item === "string")) return list
    throw this.fault(field, "must be a list of texts")
  }

  /** An object field; an empty one when absent. */
  object(field: string): QueryReader {
    const value = this.value(field) ?? {}
    if (!isJsonObject(value)) throw this.fault(field, "must be an object")
    return new QueryReader(value, `${this.path}.${field}`)
  }

  objects(field: string, rule: { max?: number } = {}): QueryReader[] {
    return (this.list(field, rule) ?? []).map((item, index) => {
      if (!isJsonObject(item)) throw this.fault(`${field}[${index}]`, "must be an object")
      return new QueryReader(item, `${this.path}.${field}[${index}]`)
    })
  }
}
