import { describe, expect, test } from "@jest/globals"
import { buildSchema, getOperationAST, parse } from "graphql"
import { operationCost } from "../../../src/transport/graphql/operation-cost.js"

const schema = buildSchema(`
  type Query {
    people(first: Int, last: Int, after: String): PersonConnection! few(first: Int): PersonConnection!
    me: Person run: Int! all: [Person!]! list(limit: Int): [Person!]! any: Thing
    some(ids: [ID!]!): [Thing]!
  }
  type PersonConnection { totalCount: Int! nodes: [Person!]! edges: [PersonEdge!]! }
  type PersonEdge { cursor: String! node: Person! }
  type Person implements Thing { id: ID! name: String pets: [Thing!]! friends(first: Int): PersonConnection! }
  interface Thing { id: ID! }
`)
Object.assign(schema.getQueryType()?.getFields().few ?? {}, { extensions: { pageSize: 20 } })

function costOf(text: string, variables: Record<string, unknown> = {}): number {
  const document = parse(text)
  const operation = getOperationAST(document)
  if (!operation) throw new Error("one operation expected")
  return operationCost({
    schema,
    document,
    operation,
    variables,
    fieldCosts: { "Query.run": 50, "Query.all": 5, "Query.some": 5, "Person.pets": 2 },
  })
}

describe("an operation costs", () => {
  test.each<[string, number, string, Record<string, unknown>]>([
    ["a tenth a scalar", 0.1, "{ __typename }", {}],
    ["one an object", 1.2, "{ me { id name } }", {}],
    ["what a field is priced at", 50, "{ run }", {}],
    ["ten items for a list that is read whole", 5 + 10 * 0.1, "{ all { id } }", {}],
    ["each id that is given", 2 * (5 + 0.1), '{ some(ids: ["a", "b"]) { id } }', {}],
    ["ids of a variable", 3 * 5.1, "query ($ids: [ID!]!) { some(ids: $ids) { id } }", { ids: ["a", "b", "c"] }],
    ["such lists in each other", 5 + 10 * (2 + 10 * 0.1), "{ all { pets { id } } }", {}],
    [
      "such a list for each item of a page",
      1 + 3 * (1 + 2 + 10 * 0.1),
      "{ people(first: 3) { nodes { pets { id } } } }",
      {},
    ],
    ["its page times its items", 1 + 0.1 + 9 * 1.1, "{ people(first: 9) { totalCount nodes { id } } }", {}],
    [
      "edges as well as nodes",
      1 + 2 * (1 + 0.1 + 1 + 0.1),
      "{ people(first: 2) { edges { cursor node { id } } } }",
      {},
    ],
    ["the default page when none is asked for", 1 + 100 * 1.1, "{ people { nodes { id } } }", {}],
    [
      "pages of pages",
      1 + 3 * (1 + 1 + 4 * 1.1),
      "{ people(first: 3) { nodes { friends(first: 4) { nodes { id } } } } }",
      {},
    ],
    ["as much from the end", 1 + 9 * 1.1, "{ people(last: 9) { nodes { id } } }", {}],
    [
      "the larger size where two are given",
      1 + 9 * 1.1,
      "query ($n: Int) { people(first: $n, last: 9) { nodes { id } } }",
      { n: null },
    ],
    ["the default page of a field of its own", 1 + 20 * 1.1, "{ few { nodes { id } } }", {}],
    ["by variables", 1 + 7 * 1.1, "query ($n: Int) { people(first: $n) { nodes { id } } }", { n: 7 }],
    ["by defaults of variables", 3.2, "query ($n: Int = 2) { people(first: $n) { nodes { id } } }", {}],
    [
      "a fragment each time it is spread",
      2.4,
      "{ a: me { ...F } b: me { ...F } } fragment F on Person { id name }",
      {},
    ],
    ["what inline fragments hold", 1.2, "{ any { id ... on Person { name } } }", {}],
    ["at least one item", 2.1, "{ people(first: -5) { nodes { id } } }", {}],
  ])("%s", (_title, expected, text, variables) => {
    expect(costOf(text, variables)).toBeCloseTo(expected, 5)
  })

  test("nothing that can be hidden in a page as large as numbers go", () => {
    expect(costOf("{ people(first: 2147483647) { nodes { id } } }")).toBeGreaterThan(2_000_000_000)
  })
})
