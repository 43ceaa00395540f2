import { registerEnumType } from "type-graphql"

/** The values that an enum of the schema stands for in code. */
export type EnumValue<Enum> = Enum[keyof Enum]

/**
 * Makes an enum of the schema; each of its names has beside it the value that it stands for in code, and what is said of it:
 * `{ CSV: ["csv", "Text by RFC 4180."] }`. Gives the values by name.
 */
export function registerEnum<
  const Members extends Readonly<Record<string, readonly [value: string, description: string]>>,
>(name: string, description: string, members: Members): { readonly [Name in keyof Members]: Members[Name][0] } {
  const entries = Object.entries(members)
  const values = Object.fromEntries(entries.map(([key, [value]]) => [key, value]))
  const valuesConfig = Object.fromEntries(entries.map(([key, [, text]]) => [key, { description: text }]))
  registerEnumType(values, { name, description, valuesConfig })
  return values as { [Name in keyof Members]: Members[Name][0] }
}
