import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Pool } from "pg"
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { openPool } from "../../src/platform/postgres/open-pool.js"
import { type Callers, createCallers } from "../support/access-matrix.js"
import { appendToLog } from "../support/append-to-log.js"
import { copyOfTemplate } from "../support/store-templates.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { WaymarkProcess } from "../support/waymark-process.js"

interface Letters {
  readonly deadLetters: {
    readonly nodes: readonly { readonly id: string; readonly event: string | null; readonly reason: string }[]
    readonly hasNextPage: boolean
    readonly endCursor: string | null
  }
}

const LIST = `query ($first: Int, $before: ID) {
  deadLetters(first: $first, before: $before) { nodes { id event reason } hasNextPage endCursor } }`
const RETRY = "mutation ($ids: [ID!]!) { retryDeadLetters(input: { ids: $ids }) { retriedIds userErrors { message } } }"

const directory = copyOfTemplate("server")
let postgres: EmbeddedPostgres
let pool: Pool
let server: WaymarkProcess
let api: WaymarkApi
let callers: Callers

beforeAll(async () => {
  postgres = await startEmbeddedPostgres({ dataDirectory: directory.path, logger: silentLogger })
  pool = openPool(postgres.url, 2, silentLogger)
  server = new WaymarkProcess(directory.path, { DATABASE_URL: postgres.url })
  api = new WaymarkApi(await server.ready())
  const create =
    'mutation { createProject(input: { name: "other" }) { project { id: number } userErrors { message } } }'
  const { createProject } = await api.changed<{ createProject: { id: string } }>(create)
  callers = await createCallers(api, ["ingestion_warning:write"], Number(createProject.id))
})
afterAll(async () => {
  await server.stop()
  await pool.end()
  await postgres.stop()
  directory.remove()
})

/** Has the project log what no capture would, and waits until it has `count` letters. */
async function makeLetters(texts: readonly string[], count: number) {
  for (const eventsJson of texts) await appendToLog(pool, 1, [{ receivedAtMs: Date.now(), eventsJson, eventCount: 1 }])
  return waitFor("the dead letters", async () => {
    const { deadLetters } = await api.graphql<Letters>(LIST)
    return deadLetters.nodes.length === count ? deadLetters.nodes : null
  })
}

describe("dead letters", () => {
  test("are listed in pages, read, counted, retried and removed by who may", async () => {
    const nodes = await makeLetters(['[{"event":"first"}]', '[{"event":"second"}]', "[{"], 3)
    expect(nodes.map(({ event, reason }) => [event, reason])).toEqual([
      [null, "UNREADABLE_REQUEST"],
      ["second", "NOT_AN_EVENT"],
      ["first", "NOT_AN_EVENT"],
    ])
    const [request, second, first] = nodes.map(({ id }) => id)

    const page = (await callers.permitted.graphql<Letters>(LIST, { first: 2 })).deadLetters
    expect(page).toEqual({ nodes: nodes.slice(0, 2), hasNextPage: true, endCursor: second })
    const rest = (await callers.permitted.graphql<Letters>(LIST, { first: 2, before: page.endCursor })).deadLetters
    expect(rest).toEqual({ nodes: nodes.slice(2), hasNextPage: false, endCursor: first })

    const read = "query ($id: ID!) { deadLetterText(id: $id) }"
    expect(await api.graphql(read, { id: first })).toEqual({ deadLetterText: '{"event":"first"}' })
    expect((await api.get<string>("/metrics")).body).toContain('waymark_dead_letters{reason="not_an_event"} 2')

    const event = { uuid: crypto.randomUUID(), event: "mended", distinctId: "ada", properties: {} }
    const mended = { ...event, timestamp: new Date().toISOString(), clientTimestamp: null }
    await pool.query("UPDATE ingest_dead_letter SET event = $2 WHERE id = $1", [first, JSON.stringify(mended)])
    expect(await callers.permitted.changed(RETRY, { ids: [first] })).toEqual({ retryDeadLetters: [first] })
    expect(
      await callers.permitted.changed(
        "mutation ($ids: [ID!]!) { deleteDeadLetters(input: { ids: $ids }) { deletedIds userErrors { message } } }",
        {
          ids: [request, second, first],
        },
      ),
    ).toEqual({ deleteDeadLetters: [second, request] })
    await waitFor("the mended event", async () => {
      const rows = await api.hogql("SELECT distinct_id FROM events WHERE event = 'mended'")
      return JSON.stringify(rows) === '[["ada"]]'
    })
    expect((await api.graphql<Letters>(LIST)).deadLetters.nodes).toEqual([])
  })

  test.each([
    [LIST, {}],
    [RETRY, { ids: ["1"] }],
    [
      "mutation ($ids: [ID!]!) { deleteDeadLetters(input: { ids: $ids }) { deletedIds userErrors { message } } }",
      { ids: ["1"] },
    ],
    ["query ($id: ID!) { deadLetterText(id: $id) }", { id: "1" }],
  ])("are for keys with scope and project only: %s", async (source, variables) => {
    for (const [caller, code] of [
      ["nobody", "not_authenticated"],
      ["withUnknownKey", "authentication_failed"],
      ["withoutScope", "permission_denied"],
      ["ofAnotherProject", "permission_denied"],
    ] as const)
      await expect(callers[caller].graphql(source, { ...variables })).rejects.toThrow(code)
  })

  test.each([
    [LIST, { first: 101 }, "first must be between 1 and 100."],
    [LIST, { before: "newest" }, "before must be the number of a dead letter."],
    [RETRY, { ids: ["1", "-1"] }, "ids must be the number of a dead letter."],
    [RETRY, { ids: Array.from({ length: 101 }, () => "1") }, "ids must have at most 100 numbers."],
  ])("say what is wrong with a question: %s %j", async (source, variables, message) => {
    await expect(api.changed(source, variables)).rejects.toThrow(message)
  })
})
