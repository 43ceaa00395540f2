type Schema = Readonly<Record<string, unknown>>

const FORMATS: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/,
  email: /^[^\s@]+@[^\s@]+$/,
  uri: /^https?:\/\/\S+$/,
}
/** Says something about a value's meaning, not about its shape. */
const SILENT = new Set(["title", "description", "default", "example", "maxItems"])

/**
 * Where a value does not fit a JSON Schema, as a sentence; null when it fits. Knows what our document uses and throws on
 * anything else, so that no rule of the document goes unchecked.
 */
export function schemaMisfit(value: unknown, schema: Schema, components: Schema, path = "$"): string | null {
  const check = (inner: unknown, of: unknown, at: string) => schemaMisfit(inner, of as Schema, components, at)
  for (const [keyword, rule] of Object.entries(schema)) {
    const fault = faultOf(keyword, rule)
    if (fault !== null) return fault
  }
  return null

  function extrasFault(rule: unknown): string | null {
    if (rule === true || !isObject(value)) return null
    const known = Object.keys((schema.properties ?? {}) as Schema)
    const extras = Object.entries(value).filter(([name]) => !known.includes(name))
    return first(extras.map(([name, inner]) => check(inner, rule === false ? NOTHING_FITS : rule, `${path}.${name}`)))
  }

  function faultOf(keyword: string, rule: unknown): string | null {
    if (SILENT.has(keyword)) return null
    if (keyword === "$ref") return check(value, components[String(rule).split("/").at(-1) ?? ""], path)
    if (keyword === "type")
      return isOf([rule].flat(), value) ? null : `${path} should be ${rule} and is ${shown(value)}`
    if (keyword === "enum")
      return (rule as unknown[]).includes(value) ? null : `${path} is ${shown(value)}, not of ${rule}`
    if (keyword === "format") return fitsFormat(String(rule), value) ? null : `${path} is no ${rule}: ${shown(value)}`
    if (keyword === "anyOf") {
      const faults = (rule as Schema[]).map((one) => check(value, one, path))
      return faults.includes(null) ? null : faults.join(" and ")
    }
    if (keyword === "items")
      return Array.isArray(value) ? first(value.map((item, index) => check(item, rule, `${path}[${index}]`))) : null
    if (keyword === "required")
      return isObject(value)
        ? first((rule as string[]).map((name) => (name in value ? null : `${path} has no ${name}`)))
        : null
    if (keyword === "properties")
      return isObject(value)
        ? first(
            Object.entries(rule as Schema).map(([name, inner]) =>
              name in value ? check(value[name], inner, `${path}.${name}`) : null,
            ),
          )
        : null
    if (keyword === "additionalProperties") return extrasFault(rule)
    throw new Error(`the check does not know the keyword ${keyword}`)
  }
}

const NOTHING_FITS: Schema = { enum: [] }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const first = (faults: (string | null)[]): string | null => faults.find((fault) => fault !== null) ?? null
const shown = (value: unknown): string => (JSON.stringify(value) ?? "undefined").slice(0, 200)

function isOf(types: readonly unknown[], value: unknown): boolean {
  if (value === null) return types.includes("null")
  if (Array.isArray(value)) return types.includes("array")
  if (typeof value === "number")
    return types.includes("number") || (types.includes("integer") && Number.isInteger(value))
  return types.includes(typeof value)
}

function fitsFormat(format: string, value: unknown): boolean {
  const pattern = FORMATS[format]
  if (pattern === undefined) throw new Error(`the check does not know the format ${format}`)
  return typeof value !== "string" || pattern.test(value)
}
