import { FUNCTION_NAMES, TABLES, type TableDefinition } from "../../../hogql/index.js"
import type { JsonObject } from "../../../kernel/json.js"

/** Names of properties by who has them. */
export interface KnownProperties {
  readonly event: Iterable<string>
  readonly person: Iterable<string>
}

/** Most suggestions of one answer. */
export const MAX_SUGGESTIONS = 200

/**
 * What may stand where the cursor is: tables after FROM and JOIN, properties and joined fields after a dot, else the
 * fields of the query's tables and functions. Works on unfinished texts, so it looks at words and not at the tree.
 */
export function suggestionsAt(text: string, position: number, properties: KnownProperties): JsonObject[] {
  const before = text.slice(0, position)
  const word = /[\w$.]*$/.exec(before)?.[0] ?? ""
  const chain = word.split(".")
  const typed = (chain.pop() ?? "").toLowerCase()
  if (/\b(?:from|join)\s+[\w$.]*$/i.test(before))
    return TABLES.filter(({ name }) => name.startsWith(word.toLowerCase())).map(({ name }) =>
      suggestion(name, "Folder", "Table"),
    )
  const found =
    chain.length > 0
      ? suggestInside(chain, findTables(text), properties)
      : [
          ...findTables(text).flatMap(suggestFields),
          ...FUNCTION_NAMES.map((name) => suggestion(`${name}()`, "Function", null)),
        ]
  return found.filter(({ label }) => String(label).toLowerCase().startsWith(typed))
}

const suggestion = (label: string, kind: string, detail: string | null): JsonObject => ({
  label,
  kind,
  detail,
  insertText: /^[\w.]+$|\(\)$/.test(label) ? label : `\`${label}\``,
})

/** The tables that the text names, events when it names none. */
function findTables(text: string): TableDefinition[] {
  const names = [...text.matchAll(/\b(?:from|join)\s+([\w.]+)/gi)].map((found) => found[1])
  const named = TABLES.filter(({ name }) => names.includes(name))
  return named.length > 0 ? named : TABLES.filter(({ name }) => name === "events")
}

function suggestFields(table: TableDefinition): JsonObject[] {
  const joins = Object.entries(table.joins ?? {}).filter(([, { hidden }]) => hidden !== true)
  return [
    ...Object.entries(table.columns).map(([name, { type }]) => suggestion(name, "Variable", type)),
    ...joins.map(([name, { table: other }]) => suggestion(name, "Variable", `Row of ${other}`)),
  ]
}

function suggestInside(chain: string[], tables: readonly TableDefinition[], properties: KnownProperties): JsonObject[] {
  const last = chain.at(-1)
  if (last === "properties") {
    const ofPerson = chain.includes("person") || tables.every(({ name }) => name === "persons")
    const names = ofPerson ? properties.person : properties.event
    return [...names].sort().map((name) => suggestion(name, "Variable", "Property"))
  }
  const joined = tables.map(({ joins }) => joins?.[last ?? ""]?.table).find((name) => name !== undefined)
  const table = TABLES.find(({ name }) => name === (joined ?? last))
  return table === undefined ? [] : suggestFields(table)
}
