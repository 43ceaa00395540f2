import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { createDecisionFactsStore } from "../../../../src/features/flags/decide/decision-facts.store.js"
import { createPendingChanges } from "../../../../src/features/flags/read-your-writes/pending-changes.js"
import {
  createReadYourWrites,
  type ReadYourWrites,
} from "../../../../src/features/flags/read-your-writes/read-your-writes.store.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { JsonObject } from "../../../../src/kernel/json.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { appendToLog } from "../../../support/append-to-log.js"
import { startTestStores, type TestStores } from "../../../support/test-stores.js"

const PROJECT = asProjectId(1)
/** Of a row that ingestion has stored, and that is not forgotten yet. */
const STORED_ROW = "1000000"
const NOW_MS = Date.parse("2026-03-01T12:00:00.000Z")

describe("what was acknowledged, while some of it is stored and none of it forgotten", () => {
  let stores: TestStores
  let own: ReadYourWrites
  let pending: ReturnType<typeof createPendingChanges>
  let waitingRow: string

  beforeAll(async () => {
    stores = await startTestStores([])
    pending = createPendingChanges()
    own = createReadYourWrites(createDecisionFactsStore(stores.database), pending, stores.database, silentLogger)
    const { pool } = stores.database
    const uuid = (last: string) => `00000000-0000-4000-8000-0000000000${last}`
    await pool.query(
      `INSERT INTO person VALUES (1, '${uuid("a1")}', '{"plan": "free"}', null, true, false, '2024-01-01Z', 1),
                                 (1, '${uuid("a2")}', '{"source": "advert"}', null, false, false, '2024-01-01Z', 1);
       INSERT INTO person_distinct_id VALUES (1, 'ada', '${uuid("a1")}', 0), (1, 'ada at work', '${uuid("a1")}', 0),
                                             (1, 'visitor', '${uuid("a2")}', 0), (1, 'visitor before', '${uuid("a2")}', 0)`,
    )
    await appendToLog(pool, PROJECT, [{ receivedAtMs: NOW_MS, eventsJson: "[]", eventCount: 0 }])
    const { rows } = await pool.query<{ id: string }>("SELECT max(id)::text AS id FROM ingest_log")
    waitingRow = rows[0]?.id as string
  })
  afterAll(() => stores.stop())

  const capture = (rowId: string, distinctId: string, event: string, properties: JsonObject): void =>
    pending.record(
      {
        projectId: PROJECT,
        receivedAtMs: NOW_MS,
        historicalMigration: false,
        events: [{ uuid: distinctId, event, distinctId, properties, timestamp: new Date(NOW_MS).toISOString() }],
      },
      rowId,
    )

  test("counts for all ids of a person, also for one whose own events are stored", async () => {
    capture(STORED_ROW, "ada", "$set", { $set: { plan: "free" } })
    capture(waitingRow, "ada at work", "$set", { $set: { plan: "team" } })
    expect((await own.person(PROJECT, "ada"))?.properties).toEqual({ plan: "team" })
  })

  test("counts for a person who is about to be joined to one that is stored under other ids too", async () => {
    capture(waitingRow, "visitor before", "$set", { $set: { source: "friend" } })
    capture(waitingRow, "ada", "$identify", { $anon_distinct_id: "visitor" })
    for (const distinctId of ["ada", "ada at work", "visitor", "visitor before"])
      expect((await own.person(PROJECT, distinctId))?.properties).toEqual({ plan: "team", source: "friend" })
  })
})
