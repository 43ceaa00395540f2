import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"
import type { EnrichedEvent } from "./enriched-event.js"

const MAX_TEXT_CHARACTERS = 400
const MAX_HREF_CHARACTERS = 2048

/** Autocaptured elements become one text in a column of its own: `$elements_chain` as it is, `$elements` written out. */
export function moveElements(event: EnrichedEvent): void {
  const { $elements_chain: chain, $elements: elements } = event.properties
  if (typeof chain === "string") event.elementsChain = chain
  else if (Array.isArray(elements)) event.elementsChain = elements.filter(isJsonObject).map(writeElement).join(";")
  if (chain !== undefined) delete event.properties.$elements_chain
  if (elements !== undefined) delete event.properties.$elements
}

/** `tag.class.class:name="value"name="value"`, classes and names sorted, as queries on `elements_chain` expect it. */
function writeElement(element: JsonObject): string {
  const attributes = new Map<string, string>()
  const add = (name: string, value: Json | undefined, maxCharacters = Number.POSITIVE_INFINITY): void => {
    if (value !== undefined && value !== null && value !== "")
      attributes.set(name, toText(value).slice(0, maxCharacters))
  }
  add("text", element.$el_text, MAX_TEXT_CHARACTERS)
  add("nth-child", element.nth_child ?? 0)
  add("nth-of-type", element.nth_of_type ?? 0)
  add("href", element.attr__href, MAX_HREF_CHARACTERS)
  add("attr_id", element.attr__id)
  for (const [name, value] of Object.entries(element)) if (name.startsWith("attr__")) add(name, value)
  const written = [...attributes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${escapeQuotes(name)}="${escapeQuotes(value)}"`)
  return `${toText(element.tag_name ?? "")}${toClasses(element)}:${written.join("")}`
}

function toClasses({ attr__class: classes }: JsonObject): string {
  const names = Array.isArray(classes) ? classes.map(toText) : typeof classes === "string" ? classes.split(/\s+/) : []
  return names
    .filter((name) => name !== "")
    .sort()
    .map((name) => `.${name.replaceAll('"', "")}`)
    .join("")
}

const toText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value))
const escapeQuotes = (text: string): string => text.replaceAll('"', '\\"')
