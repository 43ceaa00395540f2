import { describe, expect, test } from "@jest/globals"
import { graphql } from "graphql"
import { buildSchema } from "type-graphql"
import { CaptureResolver } from "../../../src/features/capture/capture.resolver.js"
import { CaptureService } from "../../../src/features/capture/capture.service.js"
import type { IngestionWarningCount } from "../../../src/features/capture/capture.types.js"
import { AppError } from "../../../src/kernel/errors.js"
import { asProjectId } from "../../../src/kernel/ids.js"
import { EMPTY_PAGE } from "../../../src/kernel/paging.js"
import { InMemoryIngestLog } from "../../support/in-memory-ingest-log.js"
import { createManualClock } from "../../support/manual-clock.js"
import { createCountingUuids, knownKeys, NOW_MS } from "./cases/in-memory-driver.js"

const WARNING: IngestionWarningCount = {
  severity: "dropped",
  reason: "missing_distinct_id",
  event: null,
  occurrences: 3,
  lastAt: new Date(NOW_MS),
  distinctId: null,
  uuid: null,
  detail: null,
}

async function createSubject() {
  const ingestLog = new InMemoryIngestLog()
  const service = new CaptureService({
    findPlace: () => null,
    projectKeys: knownKeys,
    ingestLog,
    warnings: { record: () => undefined },
    newUuid: createCountingUuids(),
  })
  const history = {
    list: async () => ({ ...EMPTY_PAGE, items: [WARNING], keys: [[]], countAll: async () => 1 }),
  }
  const resolver = new CaptureResolver(service, createManualClock(NOW_MS), history)
  const schema = await buildSchema({
    resolvers: [CaptureResolver],
    container: { get: () => resolver },
    validate: false,
  })
  const access = {
    requireProject: async (_context: unknown, projectId: string, scope: string) => {
      if (scope !== "ingestion_warning:read") throw new AppError("permission_denied")
      return asProjectId(Number(projectId))
    },
  }
  return {
    ingestLog,
    ask: (source: string) => graphql({ schema, source, contextValue: { clientIp: "203.0.113.7", access } }),
  }
}

describe("capture over GraphQL", () => {
  test("takes one event by the same rules as REST", async () => {
    const { ask, ingestLog } = await createSubject()
    const answer = await ask(`mutation { capture(input: {apiKey: "phc_test", event: "e", distinctId: "u",
      properties: {a: [1, {b: null}]}, timestamp: "2026-11-20T12:00:00"}) { accepted dropped { index } warnings { index } } }`)
    expect(answer).toEqual({ data: { capture: { accepted: 1, dropped: [], warnings: [] } } })
    expect(ingestLog.batches).toMatchObject([
      {
        projectId: 1,
        receivedAtMs: NOW_MS,
        clientIp: "203.0.113.7",
        events: [
          { event: "e", distinctId: "u", properties: { a: [1, { b: null }] }, timestamp: "2026-11-20T12:00:00.000Z" },
        ],
      },
    ])
  })

  test("takes a batch and says what it did to each event that was not taken as sent", async () => {
    const { ask, ingestLog } = await createSubject()
    const answer = await ask(`mutation { captureBatch(input: {apiKey: "phc_test", historicalMigration: true, batch: [
      {event: "no id"}, {event: "e", properties: {distinct_id: "u"}}]})
      { accepted dropped { index reason } warnings { index reason } } }`)
    expect(answer.data).toEqual({
      captureBatch: {
        accepted: 1,
        dropped: [{ index: 0, reason: "missing_distinct_id" }],
        warnings: [{ index: 1, reason: "historical_without_timestamp" }],
      },
    })
    expect(ingestLog.batches[0]?.historicalMigration).toBe(true)
  })

  test("refuses a key of bad form and a key that no project has", async () => {
    const { ask } = await createSubject()
    for (const apiKey of ["phx_personal", "phc_nobody"]) {
      const answer = await ask(`mutation { capture(input: {apiKey: "${apiKey}", event: "e"}) { accepted } }`)
      expect(answer.errors?.[0]?.originalError).toMatchObject({ code: "invalid_project_key" })
    }
  })

  test("lists warnings to those who may read them", async () => {
    const { ask } = await createSubject()
    const answer = await ask(
      `{ ingestionWarnings(projectId: "1") { totalCount nodes { severity reason event occurrences } } }`,
    )
    expect(answer.data).toEqual({
      ingestionWarnings: {
        totalCount: 1,
        nodes: [{ severity: "dropped", reason: "missing_distinct_id", event: null, occurrences: 3 }],
      },
    })
  })
})
