/** Reads the schema by introspection and answers questions about it. */
export const SCHEMA_SCRIPT = String.raw`
import { runOperation } from "./client.js"

const TYPE_REF = "name kind ofType { name kind ofType { name kind ofType { name kind ofType { name kind } } } }"
const INPUT = "name description defaultValue type { " + TYPE_REF + " }"
const QUERY = "query Schema { __schema { queryType { name } mutationType { name } subscriptionType { name } types { " +
  "kind name description fields(includeDeprecated: true) { name description isDeprecated deprecationReason " +
  "args { " + INPUT + " } type { " + TYPE_REF + " } } inputFields { " + INPUT + " } enumValues(includeDeprecated: true) " +
  "{ name description isDeprecated } possibleTypes { name } } } }"

/** Asks the server for its schema. Introspection needs no key. */
export async function readSchema() {
  const { body } = await runOperation({ query: QUERY, operationName: "Schema" }, null)
  if (!body.data) throw new Error(body.errors[0].message)
  const raw = body.data.__schema
  const types = new Map(raw.types.map((type) => [type.name, type]))
  const roots = {
    query: raw.queryType && raw.queryType.name,
    mutation: raw.mutationType && raw.mutationType.name,
    subscription: raw.subscriptionType && raw.subscriptionType.name,
  }
  const fieldsOf = (typeName) => {
    const type = types.get(typeName)
    return (type && (type.fields || type.inputFields)) || []
  }
  return {
    types,
    roots,
    fieldsOf,
    field: (typeName, name) => fieldsOf(typeName).find((field) => field.name === name),
    hasRootField: (kind, name) => fieldsOf(roots[kind]).some((field) => field.name === name),
    isLeaf: (name) => ["SCALAR", "ENUM"].includes((types.get(name) || {}).kind),
  }
}

/** A type as it is written, such as [String!]!. */
export function typeText(type) {
  if (type.kind === "NON_NULL") return typeText(type.ofType) + "!"
  if (type.kind === "LIST") return "[" + typeText(type.ofType) + "]"
  return type.name
}

/** The name of a type without what is wrapped around it. */
export const namedType = (type) => (type.ofType ? namedType(type.ofType) : type.name)

const SAMPLES = { Int: 1, Float: 1, Boolean: true, String: "", ID: "", JSON: {} }

/** An operation that shows a root field: required arguments as variables, leaves and one level of objects. */
export function operationFor(schema, kind, field) {
  const required = field.args.filter((arg) => arg.type.kind === "NON_NULL" && arg.defaultValue === null)
  const values = Object.fromEntries(required.map((arg) => [arg.name, sampleOf(schema, namedType(arg.type))]))
  const given = required.map((arg) => arg.name + ": $" + arg.name)
  if (field.args.some((arg) => arg.name === "first")) given.push("first: 10")
  const title = field.name[0].toUpperCase() + field.name.slice(1)
  const declared = required.map((arg) => "$" + arg.name + ": " + typeText(arg.type)).join(", ")
  return {
    query: kind + " " + title + (declared ? "(" + declared + ")" : "") + " {\n  " + field.name +
      (given.length ? "(" + given.join(", ") + ")" : "") + selectionOf(schema, namedType(field.type), 2, "  ") + "\n}\n",
    variables: values,
  }
}

function sampleOf(schema, name) {
  const type = schema.types.get(name)
  if (type && type.kind === "ENUM") return type.enumValues[0].name
  if (!type || type.kind !== "INPUT_OBJECT") return name in SAMPLES ? SAMPLES[name] : null
  const needed = type.inputFields.filter((field) => field.type.kind === "NON_NULL" && field.defaultValue === null)
  return Object.fromEntries(needed.map((field) => [field.name, sampleOf(schema, namedType(field.type))]))
}

function selectionOf(schema, typeName, levels, indent) {
  if (schema.isLeaf(typeName)) return ""
  const inner = indent + "  "
  const lines = []
  for (const field of schema.fieldsOf(typeName)) {
    const name = namedType(field.type)
    const needsArguments = field.args.some((arg) => arg.type.kind === "NON_NULL" && arg.defaultValue === null)
    if (needsArguments || field.name === "edges") continue
    if (schema.isLeaf(name)) lines.push(inner + field.name)
    else if (levels > 1) lines.push(inner + field.name + selectionOf(schema, name, levels - 1, inner))
  }
  if (lines.length === 0) lines.push(inner + "__typename")
  return " {\n" + lines.join("\n") + "\n" + indent + "}"
}
`
