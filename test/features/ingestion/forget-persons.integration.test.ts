import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { forgetDeadLetters, forgetWarnedPersons } from "../../../src/features/ingestion/index.js"
import { asPersonId, asProjectId } from "../../../src/kernel/ids.js"
import { runTransaction } from "../../../src/platform/postgres/open-pool.js"
import { type RealStores, startRealStores } from "./real-stores.js"

const PROJECT = asProjectId(1)
const PERSON = asPersonId("0198f7c0-0000-7000-8000-000000000001")
const LONG = "ü".repeat(300)
const REQUESTED_AT_MS = 1_000
const deleted = {
  projectId: PROJECT,
  personIds: [PERSON],
  distinctIds: ['Zoë "Z"', LONG],
  emails: [],
  deletesEvents: true,
  requestedAtMs: REQUESTED_AT_MS,
}

let stores: RealStores
beforeAll(async () => {
  stores = await startRealStores()
})
afterAll(() => stores.stop())

async function addWarning(reason: string, distinctId: string | null, detail: string | null, project = 1) {
  await stores.pool.query(
    `INSERT INTO ingestion_warning (project_id, day, reason, event, severity, occurrences, last_at, last_distinct_id, last_uuid, last_detail)
     VALUES ($1, '2025-01-01', $2, 'e', 'dropped', 7, now(), $3, 'u', $4)`,
    [project, reason, distinctId, detail],
  )
}

async function addLetter(reason: string, event: object | string, { project = 1, receivedAtMs = REQUESTED_AT_MS } = {}) {
  const text = typeof event === "string" ? event : JSON.stringify(event)
  const sql = "INSERT INTO ingest_dead_letter (project_id, event, reason, received_at) VALUES ($1, $2, $3, $4)"
  await stores.pool.query(sql, [project, text, reason, new Date(receivedAtMs)])
}

const letters = async () =>
  (await stores.pool.query("SELECT reason FROM ingest_dead_letter ORDER BY id")).rows.map(({ reason }) => reason)

describe("a deletion of persons", () => {
  test("takes the examples of warnings that name them, and leaves counts and other examples", async () => {
    await addWarning("a_sender", 'Zoë "Z"', null)
    await addWarning("b_cut", LONG.slice(0, 200), null)
    await addWarning("c_detail", "other", `{"personId":"${PERSON}"}`)
    await addWarning("d_other", "other", "Zoë")
    await addWarning("e_elsewhere", 'Zoë "Z"', null, 2)
    await runTransaction(stores.pool, (client) => forgetWarnedPersons(client, deleted))
    const { rows } = await stores.pool.query(
      `SELECT reason, last_distinct_id AS id, last_uuid AS uuid, last_detail AS detail, occurrences::int AS count
         FROM ingestion_warning ORDER BY reason`,
    )
    const none = { id: null, uuid: null, detail: null, count: 7 }
    expect(rows).toEqual([
      { reason: "a_sender", ...none },
      { reason: "b_cut", ...none },
      { reason: "c_detail", ...none },
      { reason: "d_other", id: "other", uuid: "u", detail: "Zoë", count: 7 },
      { reason: "e_elsewhere", id: 'Zoë "Z"', uuid: "u", detail: null, count: 7 },
    ])
  })

  test("takes their events that could not be stored, but no later ones and nobody else's", async () => {
    await addLetter("theirs", { distinctId: 'Zoë "Z"' })
    await addLetter("merging", { distinctId: "other", properties: { $anon_distinct_id: LONG } })
    await addLetter("cut", '{"distinctId": "Zoë \\"Z\\"", [[[[[[')
    await addLetter("later", { distinctId: 'Zoë "Z"' }, { receivedAtMs: REQUESTED_AT_MS + 1 })
    await addLetter("alike", { distinctId: 'Zoë "Z" too' })
    await addLetter("elsewhere", { distinctId: 'Zoë "Z"' }, { project: 2 })
    const kept = { ...deleted, deletesEvents: false }
    await runTransaction(stores.pool, (client) => forgetDeadLetters(client, kept))
    expect(await letters()).toHaveLength(6)
    await runTransaction(stores.pool, (client) => forgetDeadLetters(client, deleted))
    expect(await letters()).toEqual(["later", "alike", "elsewhere"])
  })
})
