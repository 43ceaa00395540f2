/** Texts, names in quotes and comments, in which braces mean nothing, and names in braces. */
const PARTS = /'(?:[^'\\]|''|\\[\s\S])*'|"[^"]*"|`[^`]*`|(?:--|\/\/)[^\n]*|\/\*[\s\S]*?\*\/|\{\s*([A-Za-z_]\w*)\s*\}/g

/** What the server fills in by itself. */
const FILLED = ["filters"]

/** Names of the parameters of a text, `{name}`, each once, in their order. */
export const listPlaceholders = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(PARTS)].flatMap(([, name]) => (name === undefined || FILLED.includes(name) ? [] : [name])),
  ),
]

/** A written value: a number, `true`, `null`, a list or a text in quotes as JSON has it, anything else as text. */
function readValue(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    return written
  }
}

/** The values of the parameters that a text has. */
export const readValues = (text: string, written: Readonly<Record<string, string>> = {}): Record<string, unknown> =>
  Object.fromEntries(listPlaceholders(text).map((name) => [name, readValue(written[name] ?? "")]))
