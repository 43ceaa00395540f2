/** Finds what may stand at the end of an unfinished document: fields, arguments or the first word. */
export const COMPLETION_SCRIPT = String.raw`
import { namedType, typeText } from "./schema.js"

const TOKEN = /#[^\n]*|"""[\s\S]*?(?:"""|$)|"(?:[^"\\\n]|\\.)*"?|\.\.\.|[$@]?\w+|[{}()[\]:=!|]/g
const KEYWORDS = ["query", "mutation", "subscription", "fragment"]

/** What may follow the text before the cursor, by the schema; empty when nothing is known. */
export function suggestionsAt(schema, before) {
  const prefix = /(?:^|[^\w$@])(\w*)$/.exec(before)
  if (!prefix) return []
  const place = placeAt(schema, before.slice(0, before.length - prefix[1].length))
  if (!place) return []
  const wanted = prefix[1].toLowerCase()
  return place
    .filter(({ label }) => label.toLowerCase().includes(wanted) && label !== prefix[1])
    .sort((a, b) => Number(b.label.toLowerCase().startsWith(wanted)) - Number(a.label.toLowerCase().startsWith(wanted)))
    .map((suggestion) => ({ ...suggestion, prefix: prefix[1] }))
}

/** Walks the text once, keeping the type of each open selection. */
function placeAt(schema, text) {
  const types = []
  let root = "query", field = null, typeNext = false, condition = null, brackets = 0, called = null
  for (const [token] of text.matchAll(TOKEN)) {
    if (token[0] === "#" || token[0] === '"') continue
    if (brackets > 0) {
      if ("([{".includes(token)) brackets++
      else if (")]}".includes(token)) brackets--
    } else if (token === "(") {
      brackets = 1
      called = types.length > 0 ? field : null
    } else if (token === "{") {
      types.push(types.length === 0 ? condition || schema.roots[root] : condition || (field && namedType(field.type)))
      field = condition = null
    } else if (token === "}") {
      types.pop()
      field = null
    } else if (token === "on") typeNext = true
    else if (typeNext) {
      condition = token
      typeNext = false
    } else if (/^\w/.test(token)) {
      if (types.length === 0 && KEYWORDS.includes(token)) root = token
      else if (types.length > 0) field = schema.field(types[types.length - 1], token) || null
    }
  }
  if (typeNext) return typeNames(schema)
  if (brackets === 1 && called) return /[:$]\s*$/.test(text) ? null : called.args.map(argument)
  if (brackets > 0) return null
  if (types.length === 0) return KEYWORDS.map((word) => ({ label: word, text: word + " ", note: "" }))
  return schema.fieldsOf(types[types.length - 1]).map((one) => ({ label: one.name, text: one.name, note: typeText(one.type) }))
}

const argument = (arg) => ({ label: arg.name, text: arg.name + ": ", note: typeText(arg.type) })

const typeNames = (schema) =>
  [...schema.types.values()]
    .filter(({ kind, name }) => ["OBJECT", "INTERFACE", "UNION"].includes(kind) && !name.startsWith("__"))
    .map(({ name }) => ({ label: name, text: name, note: "" }))
`
