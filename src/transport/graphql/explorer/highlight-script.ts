/** Colours GraphQL and JSON text. Only text nodes are made, so nothing shown can become markup. */
export const HIGHLIGHT_SCRIPT = String.raw`
const GRAPHQL = /(#[^\n]*)|("""[\s\S]*?(?:"""|$)|"(?:[^"\\\n]|\\.)*"?)|(-?\b\d[\d.eE+-]*\b)|([$@]\w+)|\b(query|mutation|subscription|fragment|on|true|false|null)\b|(\w+(?=\s*:))/g
const JSON_TEXT = /(\/\/[^\n]*)|("(?:[^"\\]|\\.)*"(?=\s*:))|("(?:[^"\\]|\\.)*"?)|(-?\b\d[\d.eE+-]*\b)|\b(true|false|null)\b/g
const KINDS = {
  graphql: ["comment", "text", "number", "variable", "word", "key"],
  json: ["comment", "key", "text", "number", "word"],
}
const MAX_COLOURED = 200000

/** Shows text in colours; a long one plain, because colouring it would hold up typing. */
export function paint(element, text, language) {
  element.replaceChildren()
  if (text.length > MAX_COLOURED) {
    element.textContent = text
    return
  }
  const parts = document.createDocumentFragment()
  let at = 0
  for (const match of text.matchAll(language === "json" ? JSON_TEXT : GRAPHQL)) {
    parts.append(text.slice(at, match.index))
    const span = document.createElement("span")
    span.className = "t-" + KINDS[language][match.slice(1).findIndex((group) => group !== undefined)]
    span.textContent = match[0]
    parts.append(span)
    at = match.index + match[0].length
  }
  parts.append(text.slice(at) + "\n")
  element.append(parts)
}
`
