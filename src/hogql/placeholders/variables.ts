/**
 * Values of variables by code name. A query carries either `{code_name: value}` or, as saved queries do, items of the
 * form `{code_name, value, isNull}` under any key.
 */
export function variableValues(variables: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>()
  for (const [key, item] of Object.entries(variables)) {
    if (typeof item !== "object" || item === null || Array.isArray(item)) {
      values.set(key, item)
      continue
    }
    const { code_name, value, isNull }: { code_name?: unknown; value?: unknown; isNull?: unknown } = item
    values.set(typeof code_name === "string" ? code_name : key, isNull === true ? null : value)
  }
  return values
}
