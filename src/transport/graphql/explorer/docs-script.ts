/** The schema browser: root fields first, every type a click away, search over all of it. */
export const DOCS_SCRIPT = `
import { namedType, operationFor, typeText } from "./schema.js"

const KINDS = { query: "Queries", mutation: "Mutations", subscription: "Subscriptions" }
const MAX_FOUND = 60

function element(tag, className, ...children) {
  const made = document.createElement(tag)
  if (className) made.className = className
  made.append(...children)
  return made
}

/** Text in which words between back-ticks are code. */
function prose(text) {
  return text.split(/(\`[^\`]+\`)/).map((part, index) => (index % 2 ? element("code", "", part.slice(1, -1)) : part))
}

function button(className, label, onClick) {
  const made = element("button", className, label)
  made.type = "button"
  made.addEventListener("click", onClick)
  return made
}

/** Shows the schema in host and searches it from the field search; load puts an operation into the editor. */
export function showDocs(host, search, schema, load) {
  let path = []
  const open = (typeName) => {
    path = [...path.filter((name) => name !== typeName), typeName]
    search.value = ""
    render()
    host.parentElement.scrollTop = 0
  }
  const typeLink = (type) => {
    const name = namedType(type)
    return button("link type", typeText(type), () => open(name))
  }
  const signature = (field) => {
    const parts = [element("span", "t-key", field.name)]
    if (field.args && field.args.length) {
      parts.push("(")
      for (const [index, arg] of field.args.entries()) {
        if (index > 0) parts.push(", ")
        const value = arg.defaultValue ? " = " + arg.defaultValue : ""
        parts.push(arg.name + ": ", typeLink(arg.type), value)
      }
      parts.push(")")
    }
    parts.push(": ", typeLink(field.type))
    if (field.defaultValue) parts.push(" = " + field.defaultValue)
    return element("div", "signature", ...parts)
  }
  const fieldItem = (field, rootKind) => {
    const item = element("li", "")
    if (rootKind) {
      const attempt = button("try", "Try", () => {
        const { query, variables } = operationFor(schema, rootKind, field)
        load(query, variables)
      })
      attempt.setAttribute("aria-label", "Write an operation with " + field.name)
      item.append(attempt)
    }
    item.append(signature(field))
    if (field.isDeprecated) item.append(element("p", "", "Deprecated: " + field.deprecationReason))
    if (field.description) item.append(element("p", "", ...prose(field.description)))
    for (const arg of field.args || [])
      if (arg.description) item.append(element("p", "", element("code", "", arg.name), " — ", ...prose(arg.description)))
    return item
  }
  const fieldList = (fields, rootKind) => element("ul", "fields", ...fields.map((field) => fieldItem(field, rootKind)))

  const renderRoots = () => {
    for (const [kind, title] of Object.entries(KINDS)) {
      if (!schema.roots[kind]) continue
      host.append(element("h3", "docs-group", title), fieldList(schema.fieldsOf(schema.roots[kind]), kind))
    }
    const names = [...schema.types.keys()].filter((name) => !name.startsWith("__")).sort()
    const links = names.map((name) => element("li", "", button("link type", name, () => open(name))))
    host.append(element("h3", "docs-group", "All types"), element("ul", "fields", ...links))
  }
  const renderType = (name) => {
    const type = schema.types.get(name)
    const rootKind = Object.keys(KINDS).find((kind) => schema.roots[kind] === name)
    host.append(element("h3", "docs-title", name))
    const kind = type.kind.toLowerCase().replace("_", " ")
    host.append(element("p", "docs-text", kind + ". ", ...prose(type.description || "")))
    const fields = schema.fieldsOf(name)
    if (fields.length) host.append(element("h3", "docs-group", "Fields"), fieldList(fields, rootKind))
    if (type.enumValues && type.enumValues.length)
      host.append(
        element("h3", "docs-group", "Values"),
        element("ul", "fields", ...type.enumValues.map((value) =>
          element("li", "", element("code", "", value.name), element("p", "", ...prose(value.description || ""))))),
      )
    if (type.possibleTypes && type.possibleTypes.length)
      host.append(element("ul", "fields", ...type.possibleTypes.map((one) => element("li", "", typeLink({ ...one, kind: "OBJECT" })))))
  }
  const renderFound = (words) => {
    const found = []
    for (const type of schema.types.values()) {
      if (type.name.startsWith("__")) continue
      if (type.name.toLowerCase().includes(words)) found.push([type.name, null, type.description])
      for (const field of schema.fieldsOf(type.name))
        if (field.name.toLowerCase().includes(words) || (field.description || "").toLowerCase().includes(words))
          found.push([type.name, field.name, field.description])
    }
    const rank = ([type, field]) => ((field || type).toLowerCase().startsWith(words) ? 0 : 1)
    found.sort((a, b) => rank(a) - rank(b))
    const items = found.slice(0, MAX_FOUND).map(([type, field, description]) =>
      element("li", "", button("link", field ? type + "." + field : type, () => open(type)), element("p", "", ...prose(description || ""))))
    const summary = found.length === 0 ? "Nothing has this name or description." : found.length + " found" +
      (found.length > MAX_FOUND ? ", the first " + MAX_FOUND + " shown" : "")
    host.append(element("p", "docs-text", summary), element("ul", "fields", ...items))
  }
  const renderPath = () => {
    if (path.length === 0) return
    const steps = [button("", "Schema", () => { path = []; render() })]
    for (const name of path.slice(0, -1)) steps.push("›", button("", name, () => open(name)))
    host.append(element("nav", "docs-path", ...steps))
  }
  function render() {
    host.replaceChildren()
    const words = search.value.trim().toLowerCase()
    if (words) return renderFound(words)
    renderPath()
    if (path.length === 0) renderRoots()
    else renderType(path[path.length - 1])
  }
  search.addEventListener("input", render)
  render()
}
`
