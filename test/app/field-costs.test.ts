import { readFileSync } from "node:fs"
import { describe, expect, test } from "@jest/globals"
import { buildSchema, getOperationAST, isInterfaceType, parse } from "graphql"
import { printedSchema } from "../../src/app/create-schema.js"
import { FIELD_COSTS } from "../../src/app/field-costs.js"
import { DEFAULT_GRAPHQL_LIMITS } from "../../src/transport/graphql/graphql-limits.js"
import { operationCost } from "../../src/transport/graphql/operation-cost.js"

const schema = buildSchema(readFileSync("schema.graphql", "utf8"))

function costOf(text: string): number {
  const document = parse(text)
  const operation = getOperationAST(document)
  if (!operation) throw new Error("one operation expected")
  return operationCost({ schema, document, operation, variables: {}, fieldCosts: FIELD_COSTS })
}

/** What type-graphql keeps of resolvers, as far as it is looked at here. */
interface ResolverMetadata {
  readonly fieldResolvers: readonly {
    readonly kind: string
    readonly schemaName: string
    readonly getObjectType?: () => unknown
  }[]
  readonly objectTypes: readonly TypeMetadata[]
  readonly interfaceTypes: readonly TypeMetadata[]
}

interface TypeMetadata {
  readonly name: string
  readonly target: unknown
}

/** The types of the schema that a name stands for: those that have its fields, where it is that of an interface. */
function listTypes(name: string): string[] {
  const type = schema.getType(name)
  return isInterfaceType(type) ? schema.getPossibleTypes(type).map((possible) => possible.name) : [name]
}

/** `Type.field` of all fields that a method of a resolver class resolves. */
function listResolvedFields(): string[] {
  const known = Reflect.get(globalThis, "TypeGraphQLMetadataStorage") as ResolverMetadata
  const types = [...known.objectTypes, ...known.interfaceTypes]
  return known.fieldResolvers
    .filter(({ kind }) => kind === "external")
    .flatMap(({ schemaName, getObjectType }) => {
      const type = types.find(({ target }) => target === getObjectType?.())
      return listTypes(String(type?.name)).map((name) => `${name}.${schemaName}`)
    })
}

const exports = (field: string, times: number): string =>
  `{ ${Array.from({ length: times }, (_, at) => `e${at}: ${field} { id }`).join(" ")} }`

describe("prices of fields", () => {
  test("are stated for every field of Query", () => {
    const fields = Object.keys(schema.getQueryType()?.getFields() ?? {}).map((name) => `Query.${name}`)
    expect(fields.filter((name) => FIELD_COSTS[name] === undefined)).toEqual([])
  })

  test("are stated for every change and every subscription", () => {
    const fields = [schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
      Object.keys(type?.getFields() ?? {}).map((name) => `${type?.name}.${name}`),
    )
    expect(fields.filter((name) => FIELD_COSTS[name] === undefined)).toEqual([])
  })

  test("are stated for every field below them that is resolved by a method of its own", async () => {
    await printedSchema()
    const resolved = listResolvedFields()
    expect(resolved).toContain("Person.distinctIds")
    expect(resolved.filter((name) => FIELD_COSTS[name] === undefined)).toEqual([])
  })

  test("name only fields that the schema has", () => {
    const unknown = Object.keys(FIELD_COSTS).filter((price) => {
      const [type = "", field = ""] = price.split(".")
      const parent = schema.getType(type)
      return !(parent && "getFields" in parent && field in parent.getFields())
    })
    expect(unknown).toEqual([])
  })

  test.each(["exportPersons", "exportEventActors"])("leave room for one %s in a document, not for two", (field) => {
    expect(costOf(exports(field, 1))).toBeLessThanOrEqual(DEFAULT_GRAPHQL_LIMITS.maxCost)
    expect(costOf(exports(field, 2))).toBeGreaterThan(DEFAULT_GRAPHQL_LIMITS.maxCost)
  })

  test("count each alias of a field", () => {
    expect(costOf("{ a: persons { totalCount } b: persons { totalCount } }")).toBeCloseTo(
      2 * costOf("{ persons { totalCount } }"),
      5,
    )
  })
})
