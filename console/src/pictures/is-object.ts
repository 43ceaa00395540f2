export type Fields = Readonly<Record<string, unknown>>

/** Whether a value is an object with fields, not a list. */
export const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)
