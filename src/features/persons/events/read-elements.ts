/** An element of a page as autocapture has told it. */
export interface EventElement {
  readonly tagName: string
  readonly text: string | null
  readonly href: string | null
  readonly elementId: string | null
  readonly classes: readonly string[]
  readonly nthChild: number | null
  readonly nthOfType: number | null
  readonly attributes: readonly { readonly name: string; readonly value: string }[]
}

const ELEMENTS = /(?:[^;"\\]|\\.|"(?:\\.|[^"\\])*")+/gs
/** Tag and classes, which may have colons of their own, before the first colon that an attribute follows. */
const PARTS = /^(.*?)(?::([\w-]+=".*)|:)?$/s
const ATTRIBUTES = /((?:[^="\\]|\\.)+)="((?:\\.|[^"\\])*)"/gs

/** Reads what ingestion writes of elements: `tag.class.class:name="value"name="value"`, the innermost first. */
export function readElements(chain: string): EventElement[] {
  return [...chain.matchAll(ELEMENTS)].map(([element]) => readElement(element))
}

function readElement(element: string): EventElement {
  const [, head = "", rest = ""] = PARTS.exec(element) ?? []
  const [tagName = "", ...classes] = head.split(".")
  const pairs = [...rest.matchAll(ATTRIBUTES)].map(([, name = "", value = ""]) => [
    withoutEscapes(name),
    withoutEscapes(value),
  ])
  const named = new Map(pairs.map(([name = "", value = ""]) => [name, value]))
  return {
    tagName,
    classes: classes.filter((name) => name !== ""),
    text: named.get("text") ?? null,
    href: named.get("href") ?? null,
    elementId: named.get("attr_id") ?? null,
    nthChild: toWhole(named.get("nth-child")),
    nthOfType: toWhole(named.get("nth-of-type")),
    attributes: [...named]
      .filter(([name]) => name.startsWith(ATTRIBUTE))
      .map(([name, value]) => ({ name: name.slice(ATTRIBUTE.length), value })),
  }
}

const ATTRIBUTE = "attr__"
const withoutEscapes = (text: string): string => text.replaceAll('\\"', '"')
const toWhole = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null
