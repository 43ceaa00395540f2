import { describe, expect, test } from "@jest/globals"
import {
  buildSchema,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  GraphQLString,
  graphql,
  printType,
} from "graphql"
import { AppError } from "../../../../src/kernel/errors.js"
import type { RequestContext } from "../../../../src/kernel/request-context.js"
import { toGlobalId } from "../../../../src/transport/graphql/shape/global-id.js"
import type { GraphRules, Values } from "../../../../src/transport/graphql/shape/graph-rules.js"
import { shapeGraph } from "../../../../src/transport/graphql/shape/shape-graph.js"
import { createSampleContext, GOOD_KEY } from "../../support/sample-context.js"

const OPERATIONS = `
  type Tune { id: Int! title: String! composer: Composer }
  type Composer { id: ID! name: String! }
  type TunePage { nodes: [Tune!]! }
  interface Named { name: String! }
  type Choir implements Named { id: ID! name: String! sings: Tune }
  union Performer = Choir | Composer
  input TuneInput { title: String }
  type Query {
    tune(id: Int!, projectId: ID! = "@current"): Tune!
    tunes(projectId: ID! = "@current", composerId: ID, first: Int): TunePage!
    composer(name: String, id: ID): Composer
    fails: String!
    performers: [Performer!]!
    named: Named
  }
  type Mutation {
    createTune(input: TuneInput!, isShort: Boolean! = false, projectId: ID! = "@current"): Tune!
    updateTune(id: Int!, input: TuneInput!, projectId: ID! = "@current"): Tune!
    hum(id: Int!, projectId: ID! = "@current"): Boolean!
    composers: [Composer!]!
    rehearse: Boolean!
  }`

const CARL = { __typename: "Composer", id: "c-2", name: "Carl" }

const RULES: GraphRules = {
  typedPlaces: () => ({}),
  records: {
    Tune: {
      documented: "number",
      isOfProject: true,
      lookUp: "tune",
      identifiers: {
        number: { type: GraphQLString, description: "Its number.", toArguments: (id) => ({ id: Number(id) }) },
      },
      toKey: ({ id }) => String(id),
      toArguments: (key) => ({ id: Number(key) }),
    },
    Composer: {
      documented: "uuid",
      isOfProject: false,
      lookUp: "composer",
      identifiers: { name: { type: GraphQLString, description: "The name.", toArguments: (name) => ({ name }) } },
      toKey: ({ id }) => String(id),
      toArguments: (id) => ({ id }),
    },
  },
  sameRecords: {},
  replacedTypes: {},
  recordArguments: {
    "Mutation.updateTune.id": "Tune",
    "Mutation.hum.id": "Tune",
    projectId: "Project",
    composerId: "Composer",
  },
  renamedArguments: { composerId: "composer" },
  hiddenOperations: ["Mutation.rehearse"],
  hiddenArguments: [],
  edges: {
    "Composer.tunes": {
      operation: "tunes",
      description: "What they made.",
      takes: { composerId: ({ id }) => id },
    },
  },
  payloads: { hum: { record: ["tune", "Tune", "id"], echo: ["hummed", "What was hummed.", "id"] } },
}

/** A graph over two tunes of project 1; each call of an operation is written down. */
function createGraph() {
  const calls: [operation: string, args: Values][] = []
  const operations = buildSchema(OPERATIONS)
  const tunes = [
    { id: 1, projectId: 1, title: "Air", composer: { id: "c-1", name: "Bach" } },
    { id: 2, projectId: 1, title: "Ode", composer: null },
  ]
  const requireTune = (id: unknown): (typeof tunes)[number] => {
    const found = tunes.find((tune) => tune.id === id)
    if (found === undefined) throw new AppError("not_found")
    return found
  }
  const resolvers: Record<string, (args: Values, context: RequestContext) => unknown> = {
    tune: async ({ id, projectId }, context) => {
      await context.access.requireProject(context, String(projectId), "tune:read")
      return requireTune(id)
    },
    tunes: () => ({ nodes: tunes }),
    performers: () => [{ __typename: "Choir", id: "k", name: "Kantorei", sings: tunes[0] }, CARL],
    named: () => ({ __typename: "Choir", id: "k", name: "Kantorei" }),
    composer: ({ id, name }) => (id === "c-1" || name === "Bach" ? { id: "c-1", name: "Bach" } : null),
    fails: () => {
      throw new AppError("permission_denied")
    },
    createTune: ({ input }) => {
      const { title } = input as { title?: string }
      if (title === "") throw new AppError("blank", { attr: "title" })
      if (title === "defect") throw new Error("a defect")
      return { id: 3, projectId: 1, title: title ?? "Untitled", composer: null }
    },
    updateTune: ({ id, input }) => ({ ...requireTune(id), ...(input as object) }),
    hum: ({ id }) => requireTune(id) !== null,
    composers: () => [],
  }
  for (const kind of [operations.getQueryType(), operations.getMutationType()] as GraphQLObjectType[])
    for (const field of Object.values(kind.getFields())) {
      const resolve: GraphQLFieldResolver<unknown, RequestContext, Values> = (_source, args, context) => {
        calls.push([field.name, { ...args }])
        return resolvers[field.name]?.(args, context)
      }
      field.resolve = resolve
    }
  const schema = shapeGraph(operations, RULES)
  const ask = async (source: string, variableValues: Record<string, unknown> = {}) => {
    const contextValue = await createSampleContext({
      authorization: `Bearer ${GOOD_KEY}`,
      request: { headers: {}, socket: {} } as Parameters<typeof createSampleContext>[0]["request"],
    })
    const { data, errors } = await graphql({ schema, source, variableValues, contextValue })
    return JSON.parse(JSON.stringify({ data, faults: errors?.map(({ message }) => message) }))
  }
  return { schema, calls, ask }
}

const tuneId = (number: number, projectId = 1) => toGlobalId({ type: "Tune", projectId, key: String(number) })
const BACH = toGlobalId({ type: "Composer", projectId: null, key: "c-1" })

describe("the graph of operations", () => {
  test("gives records an id of the graph beside the documented one, and finds them by it", async () => {
    const { ask } = createGraph()
    const { data } = await ask(
      `query ($ids: [ID!]!) {
        node(id: "${tuneId(1)}") { __typename id ... on Tune { number title composer { id uuid } } }
        nodes(ids: $ids) { __typename id } }`,
      { ids: [BACH, tuneId(9), tuneId(2), "none", toGlobalId({ type: "Nothing", projectId: 1, key: "1" })] },
    )
    const composer = { id: BACH, uuid: "c-1" }
    expect(data).toEqual({
      node: { __typename: "Tune", id: tuneId(1), number: 1, title: "Air", composer },
      nodes: [{ __typename: "Composer", id: BACH }, null, { __typename: "Tune", id: tuneId(2) }, null, null],
    })
  })

  test("looks records up by one identifier of any kind", async () => {
    const { ask, calls } = createGraph()
    const { data } = await ask(
      `{ byNumber: tune(by: { number: "2" }) { title } byId: tune(by: { id: "${tuneId(1)}" }) { title }
         byName: composer(by: { name: "Bach" }) { uuid } }`,
    )
    expect(data).toEqual({ byNumber: { title: "Ode" }, byId: { title: "Air" }, byName: { uuid: "c-1" } })
    expect(calls.map(([, args]) => args)).toEqual([
      { id: 2, projectId: "@current" },
      { id: 1, projectId: "1" },
      { name: "Bach" },
    ])
    expect((await ask(`{ tune(by: { id: "${BACH}" }) { title } }`)).faults).toEqual([
      "by.id must be the id of a Tune in the graph.",
    ])
  })

  test("finds nothing of projects of others, and refuses an id beside another project", async () => {
    const { ask } = createGraph()
    expect((await ask(`{ node(id: "${tuneId(1, 9)}") { id } }`)).data).toEqual({ node: null })
    expect((await ask(`{ tune(by: { id: "${tuneId(1, 2)}" }, projectId: "1") { title } }`)).faults).toEqual([
      "The id is of another project than the one that is named.",
    ])
  })

  test("lets one failing field erase no other", async () => {
    expect(await createGraph().ask('{ fails tune(by: { number: "1" }) { title } }')).toEqual({
      data: { fails: null, tune: { title: "Air" } },
      faults: ["You do not have permission to perform this action."],
    })
  })

  test("keeps unions and interfaces of the operations, with records in them", async () => {
    const { data } = await createGraph().ask(
      `{ performers { __typename ... on Choir { sings { number } } ... on Composer { id uuid } } named { name } }`,
    )
    expect(data).toEqual({
      performers: [
        { __typename: "Choir", sings: { number: 1 } },
        { __typename: "Composer", id: toGlobalId({ type: "Composer", projectId: null, key: "c-2" }), uuid: "c-2" },
      ],
      named: { name: "Kantorei" },
    })
  })

  test("follows edges with arguments taken from the record", async () => {
    const { ask, calls } = createGraph()
    const { data } = await ask('{ composer(by: { name: "Bach" }) { tunes(first: 1) { nodes { title } } } }')
    expect(data.composer.tunes.nodes).toHaveLength(2)
    expect(calls.at(-1)).toEqual(["tunes", { composerId: "c-1", first: 1, projectId: "@current" }])
  })
})

test("an operation that REST alone needs is no field of the graph", () => {
  expect(Object.keys(createGraph().schema.getMutationType()?.getFields() ?? {})).not.toContain("rehearse")
})

describe("a change", () => {
  test("takes one input and answers a payload with the record", async () => {
    const { schema, ask, calls } = createGraph()
    expect(printType(schema.getType("UpdateTuneInput") as GraphQLObjectType)).toContain("id: ID!")
    const { data } = await ask(
      `mutation ($input: UpdateTuneInput!) { updateTune(input: $input) { tune { number title } userErrors { code } } }`,
      { input: { id: tuneId(2), title: "Hymn" } },
    )
    expect(data.updateTune).toEqual({ tune: { number: 2, title: "Hymn" }, userErrors: [] })
    expect(calls).toEqual([["updateTune", { id: 2, input: { title: "Hymn" }, projectId: "1" }]])
  })

  test("takes documented identifiers as well, and says what is none", async () => {
    const { ask } = createGraph()
    const update = (id: string) =>
      ask(`mutation { updateTune(input: { id: "${id}" }) { tune { title } userErrors { message } } }`)
    expect((await update("1")).data.updateTune).toEqual({ tune: { title: "Air" }, userErrors: [] })
    expect((await update("one")).data.updateTune).toEqual({
      tune: null,
      userErrors: [{ message: "id must be an id of the graph or a whole number." }],
    })
    expect((await update(BACH)).data.updateTune.userErrors).toEqual([
      { message: "id is the id of a Composer; give one of a Tune." },
    ])
  })

  test("tells of what a person can correct in its payload, and of all else as errors", async () => {
    const { ask } = createGraph()
    const create = (title: string) =>
      ask(`mutation { createTune(input: { title: "${title}" }) { tune { id } userErrors { field code message } } }`)
    expect(await create("")).toEqual({
      data: {
        createTune: {
          tune: null,
          userErrors: [{ field: "title", code: "BLANK", message: "This field may not be blank." }],
        },
      },
    })
    expect(await create("defect")).toEqual({ data: { createTune: null }, faults: ["a defect"] })
  })

  test("that made no record answers the one it changed, as it is now, or what named it", async () => {
    const { data } = await createGraph().ask(
      `mutation { hum(input: { id: "${tuneId(1)}" }) { hummed tune { title } userErrors { code } } }`,
    )
    expect(data.hum).toEqual({ hummed: "1", tune: { title: "Air" }, userErrors: [] })
  })

  test("needs no input where nothing is required", async () => {
    const { data } = await createGraph().ask("mutation { createTune { tune { title } } }")
    expect(data).toEqual({ createTune: { tune: { title: "Untitled" } } })
  })
})

describe("rules that do not fit", () => {
  const operations = buildSchema(OPERATIONS)

  test.each<[what: string, rules: Partial<GraphRules>, message: string]>([
    [
      "a record without its operation",
      { records: { Tune: { ...RULES.records.Tune, lookUp: "song" } as never } },
      "there is no operation song that finds a Tune",
    ],
    [
      "an edge without its operation",
      { edges: { "Tune.covers": { operation: "covers", description: "Covers.", takes: {} } } },
      "Tune.covers needs the operation covers",
    ],
  ])("are refused at the start: %s", (_what, rules, message) => {
    expect(() => shapeGraph(operations, { ...RULES, ...rules }).getTypeMap()).toThrow(message)
  })
})
