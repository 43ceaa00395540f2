import { type Completion, type CompletionSource, snippetCompletion } from "@codemirror/autocomplete"
import { syntaxTree } from "@codemirror/language"
import { KEYWORDS } from "./dialect"
import { type KnownNames, type KnownTable, quoteName } from "./known-names"

/** Words that may stand behind the name of a table and are no alias of it. */
const NO_ALIAS = new Set(KEYWORDS.split(" "))
const TABLES_OF_TEXT = /\b(?:from|join)\s+([\w.]+)(?:\s+(?:as\s+)?(\w+))?/gi
/** Before a text that is compared with the names of events, its quote with it. */
const NAME_OF_EVENT = /\bevent\s*(?:=|!=|\bin\s*\((?:\s*'[^']*'\s*,)*)\s*'$/i

const KEYWORD_OPTIONS: readonly Completion[] = KEYWORDS.split(" ").map((word) => ({
  label: word.toUpperCase(),
  type: "keyword",
  boost: -1,
}))

const toOptions = (names: readonly string[], detail?: string): Completion[] =>
  names.map((name) => ({ label: name, apply: quoteName(name), type: "property", detail }))

const toFieldOptions = ({ fields }: KnownTable): Completion[] =>
  fields.map(({ name, type, table }) => ({
    label: name,
    apply: quoteName(name),
    type: "property",
    detail: table === null ? type : `row of ${table}`,
    boost: 2,
  }))

const toFunctionOptions = (names: readonly string[]): Completion[] =>
  names.map((name) => snippetCompletion(`${name}(\${})`, { label: name, type: "function" }))

/** The tables that a text names by what it calls them, events when it names none. */
function findTables(text: string, { tables }: KnownNames): ReadonlyMap<string, KnownTable> {
  const found = new Map<string, KnownTable>()
  for (const [, name, alias] of text.matchAll(TABLES_OF_TEXT)) {
    const table = tables.find((known) => known.name === name)
    if (table === undefined) continue
    found.set(table.name, table)
    if (alias !== undefined && !NO_ALIAS.has(alias.toLowerCase())) found.set(alias, table)
  }
  const events = tables.find(({ name }) => name === "events")
  if (found.size === 0 && events !== undefined) found.set("events", events)
  return found
}

/** What may follow names with dots between them, as `e.person.properties`. */
function completeInside(chain: readonly string[], text: string, known: KnownNames): Completion[] {
  const named = findTables(text, known)
  let table = named.get(chain[0] ?? "")
  const rest = table === undefined ? chain : chain.slice(1)
  const [only] = new Set(named.values())
  table ??= only
  for (const name of rest) {
    if (name === "properties")
      return table?.name === "persons"
        ? toOptions(known.personProperties, "of persons")
        : toOptions(known.eventProperties, "of events")
    const field = table?.fields.find((one) => one.name === name)
    table = known.tables.find((one) => one.name === field?.table)
  }
  return table === undefined ? [] : toFieldOptions(table)
}

/**
 * Completes names of tables, fields, properties, events and functions by what is known in the page. Works on unfinished
 * texts, so it looks at words and not at the tree.
 */
export function completeHogql(readNames: () => KnownNames): CompletionSource {
  let functions: { readonly of: readonly string[]; readonly options: Completion[] } = { of: [], options: [] }
  return (context) => {
    const { state, pos, explicit } = context
    const known = readNames()
    const text = state.doc.toString()
    const node = syntaxTree(state).resolveInner(pos, -1)
    if (/Comment/.test(node.name)) return null
    if (node.name === "String") {
      const from = node.from + 1
      if (!NAME_OF_EVENT.test(text.slice(0, from))) return null
      return { from, options: known.events.map((name) => ({ label: name, type: "text" })), validFor: /^[^']*$/ }
    }
    const word = context.matchBefore(/[\w$.`]*/)?.text ?? ""
    if (word === "" && !explicit) return null
    const chain = word.replaceAll("`", "").split(".")
    const typed = chain.pop() ?? ""
    const before = text.slice(0, pos - word.length)
    if (/\b(?:from|join)\s+$/i.test(before))
      return {
        from: pos - word.length,
        options: known.tables.map(({ name }) => ({ label: name, type: "class", detail: "table" })),
        validFor: /^[\w.]*$/,
      }
    // What is offered before the names are here is not kept for the rest of the word.
    const range = { from: pos - typed.length, ...(known.tables.length > 0 && { validFor: /^[\w$]*$/ }) }
    if (chain.length > 0) return { ...range, options: completeInside(chain, text, known) }
    if (functions.of !== known.functions)
      functions = { of: known.functions, options: toFunctionOptions(known.functions) }
    const tables = new Set(findTables(text, known).values())
    return { ...range, options: [...[...tables].flatMap(toFieldOptions), ...functions.options, ...KEYWORD_OPTIONS] }
  }
}
