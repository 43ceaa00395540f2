import { describe, expect, test } from "@jest/globals"
import { buildSchema, GraphQLEnumType, GraphQLInt, GraphQLList, GraphQLNonNull, graphql, printSchema } from "graphql"
import type { GraphRules } from "../../../../src/transport/graphql/shape/graph-rules.js"
import { shapeGraph } from "../../../../src/transport/graphql/shape/shape-graph.js"

const OPERATIONS = `
  scalar JSON
  type Tune { mood: String! notes: JSON }
  input TuneInput { mood: String notes: JSON parts: [PartInput!] }
  input PartInput { notes: JSON! }
  type Query { tunes(mood: String, notes: JSON, like: TuneInput): [Tune!]! }
  type Mutation { createTune(input: TuneInput!): Tune! }`

const MOOD = new GraphQLEnumType({ name: "Mood", values: { CALM: { value: "calm" }, WILD: { value: "wild" } } })
const NOTES = {
  type: new GraphQLList(new GraphQLNonNull(GraphQLInt)),
  show: (notes: unknown) => String(notes).split(" ").map(Number),
  read: (notes: unknown) => (Array.isArray(notes) ? notes.join(" ") : notes),
}
const RULES: GraphRules = {
  records: {},
  sameRecords: {},
  replacedTypes: {},
  recordArguments: {},
  renamedArguments: {},
  hiddenOperations: [],
  hiddenArguments: [],
  edges: {},
  payloads: {},
  typedPlaces: () => ({
    "Tune.mood": { type: MOOD, description: "How it feels." },
    "Tune.notes": NOTES,
    "TuneInput.mood": { type: MOOD },
    "TuneInput.notes": NOTES,
    "PartInput.notes": NOTES,
    "Query.tunes.mood": { type: MOOD },
    "Query.tunes.notes": NOTES,
  }),
}

/** A graph whose operations write down what they are given. */
function createGraph(rules = RULES) {
  const given: unknown[] = []
  const operations = buildSchema(OPERATIONS)
  const tune = { mood: "wild", notes: "1 2 3" }
  const answer = (value: unknown) => (_source: unknown, args: unknown) => {
    given.push(JSON.parse(JSON.stringify(args)))
    return value
  }
  const [queries, mutations] = [operations.getQueryType()?.getFields(), operations.getMutationType()?.getFields()]
  if (queries?.tunes) queries.tunes.resolve = answer([tune, { ...tune, notes: null }])
  if (mutations?.createTune) mutations.createTune.resolve = answer(tune)
  return { schema: shapeGraph(operations, rules), given }
}

const ask = (schema: ReturnType<typeof createGraph>["schema"], source: string) =>
  graphql({ schema, source, contextValue: {} })

describe("values with a type of their own in the graph", () => {
  test("are shown with it, keep whether they may be null, and say what they are", async () => {
    const { schema } = createGraph()
    const printed = printSchema(schema)
    expect(printed).toContain('  """How it feels."""\n  mood: Mood!\n  notes: [Int!]')
    expect(printed).not.toContain("JSON")
    expect((await ask(schema, "{ tunes { mood notes } }")).data).toEqual({
      tunes: [
        { mood: "WILD", notes: [1, 2, 3] },
        { mood: "WILD", notes: null },
      ],
    })
  })

  test("are given to operations as those take them, in arguments and at any depth of inputs", async () => {
    const { schema, given } = createGraph()
    const like = "{ mood: WILD, notes: null, parts: [{ notes: [4, 5] }] }"
    await ask(schema, `{ tunes(mood: CALM, notes: [1, 2], like: ${like}) { mood } }`)
    await ask(schema, "mutation { createTune(input: { mood: CALM, parts: [{ notes: [6] }] }) { tune { mood } } }")
    expect(given).toEqual([
      { mood: "calm", notes: "1 2", like: { mood: "wild", notes: null, parts: [{ notes: "4 5" }] } },
      { input: { mood: "calm", parts: [{ notes: "6" }] } },
    ])
  })

  test("must be values that the operations have", () => {
    const rules = { ...RULES, typedPlaces: () => ({ "Tune.tempo": { type: MOOD } }) }
    expect(() => createGraph(rules)).toThrow("the operations have no Tune.tempo")
  })
})
