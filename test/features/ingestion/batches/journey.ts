import type { PoolClient } from "pg"
import { createSaltMaker } from "../../../../src/features/cookieless/index.js"
import { createBatchLog } from "../../../../src/features/ingestion/batches/batch.store.js"
import type { BatchLog } from "../../../../src/features/ingestion/batches/batch.types.js"
import { processBatch } from "../../../../src/features/ingestion/batches/process-batch.js"
import { DefinitionCatalogue } from "../../../../src/features/ingestion/definitions/definition-catalogue.js"
import { ClickHouseSink } from "../../../../src/features/ingestion/rows/click-house-sink.store.js"
import { SpareCatalogue, type SpareKnowledge } from "../../../../src/features/ingestion/spares/spare-catalogue.js"
import type { PersonMergeListener } from "../../../../src/features/persons/index.js"
import type { SnapshotSink } from "../../../../src/features/recordings/index.js"
import { asProjectId, type ProjectId } from "../../../../src/kernel/ids.js"
import type { JsonObject } from "../../../../src/kernel/json.js"
import type { ClickHouse } from "../../../../src/platform/clickhouse/click-house.js"
import { createIds } from "../../../../src/platform/ids/ids.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { appendToLog, type RequestOfTest } from "../../../support/append-to-log.js"
import { switchedOnGeoIp } from "../../../support/geo-ip-plugin.js"
import { createManualClock } from "../../../support/manual-clock.js"
import type { RealStores } from "../real-stores.js"

/** As many as there are unless somebody sets it. */
export const SHARDS = 4
export const NOW_MS = Date.parse("2025-06-01T12:00:00.000Z")

let lastEvent = 0
let lastProject = 0
export const nextUuid = (): string => {
  lastEvent += 1
  return `0198f7c0-0000-7000-8000-${String(lastEvent).padStart(12, "0")}`
}

export interface SentEvent {
  readonly uuid: string
  readonly event: string
  readonly distinctId: string
  readonly properties: JsonObject
  readonly timestamp: string
  readonly clientTimestamp: string | null
}

/** An event as capture would hand it on. */
export const sent = (event: string, distinctId: string, some: Partial<SentEvent> = {}): SentEvent => ({
  uuid: nextUuid(),
  event,
  distinctId,
  properties: {},
  timestamp: new Date(NOW_MS).toISOString(),
  clientTimestamp: null,
  ...some,
})

/** For journeys in which nothing is recorded. */
export const NO_RECORDINGS: SnapshotSink = {
  prepare: async () => ({ inserts: [], dropped: [], positionsByRow: new Map() }),
}

/** Stands for a process that dies: nothing after it happens. */
export class Crash extends Error {}

/** One project's way from the log to the stores. */
export class Journey {
  readonly projectId: ProjectId
  readonly shard: number

  constructor(readonly stores: RealStores) {
    lastProject += 1
    this.projectId = asProjectId(lastProject)
    this.shard = this.projectId % SHARDS
  }

  /** Appends one request to the ingest log. */
  async append(...events: SentEvent[]): Promise<void> {
    await this.appendText(JSON.stringify(events), events.length)
  }

  async appendText(eventsJson: string, eventCount: number): Promise<void> {
    await this.appendRow({ eventsJson, eventCount })
  }

  /** Appends some requests that were committed together. */
  async appendRow(...requests: readonly Pick<RequestOfTest, "eventsJson" | "eventCount">[]): Promise<void> {
    await appendToLog(
      this.stores.pool,
      this.projectId,
      requests.map((request) => ({ ...request, receivedAtMs: NOW_MS })),
    )
  }

  /** Works on the next batch; `wrap` and `clickHouse` let a test break something on the way. */
  async work({
    clickHouse = this.stores.clickHouse,
    wrap = (log) => log,
    mergeListeners = [],
    snapshots = NO_RECORDINGS,
    maxRowBytes,
    spares = new SpareCatalogue(createManualClock(NOW_MS)),
  }: {
    clickHouse?: ClickHouse
    wrap?: (log: BatchLog, client: PoolClient) => BatchLog
    mergeListeners?: readonly PersonMergeListener[]
    snapshots?: SnapshotSink
    maxRowBytes?: number
    spares?: SpareKnowledge
  } = {}) {
    const client = await this.stores.pool.connect()
    client.on("error", () => undefined)
    const makeSalts = createSaltMaker(this.stores.pool, createIds())
    try {
      const log = wrap(
        createBatchLog(client, {
          clock: { now: () => NOW_MS },
          ids: { uuidV4: () => crypto.randomUUID() },
          mergeListeners,
          makeSalts,
          crashPoints: null,
        }),
        client,
      )
      const batch = await log.claim(this.shard)
      if (batch === null) throw new Error("the log is empty")
      const sink = new ClickHouseSink(clickHouse, silentLogger)
      const { stored, dropped } = await processBatch(log, batch, {
        sink,
        snapshots,
        geoIp: null,
        geoIpPlugin: switchedOnGeoIp,
        definitions: new DefinitionCatalogue(),
        spares,
        ...(maxRowBytes !== undefined && { maxRowBytes }),
      })
      return { stored, dropped }
    } finally {
      client.release(true)
    }
  }

  /** Stored events with the person that queries see, in a fixed order. */
  async events(): Promise<{ uuid: string; event: string; distinct_id: string; person: string; properties: string }[]> {
    return this.stores.clickHouse.rows({
      sql: `SELECT toString(uuid) AS uuid, event, distinct_id, properties,
              toString(if(o.id = '', e.person_id, o.person_id)) AS person
            FROM events AS e
            LEFT JOIN (SELECT distinct_id AS id, argMax(person_id, version) AS person_id FROM person_distinct_id_overrides
                       WHERE project_id = {project:Int64} GROUP BY id) AS o ON o.id = e.distinct_id
            WHERE project_id = {project:Int64} ORDER BY uuid`,
      parameters: { project: this.projectId },
    })
  }

  /** Living persons as ClickHouse has them. */
  async persons(): Promise<{ id: string; properties: JsonObject; version: number; is_identified: boolean }[]> {
    const rows = await this.stores.clickHouse.rows<{ id: string; last: [string, boolean, boolean, number] }>({
      sql: `SELECT toString(id) AS id, argMax(tuple(properties, is_deleted, is_identified, toUInt32(version)), version) AS last
            FROM persons WHERE project_id = {project:Int64} GROUP BY id ORDER BY id`,
      parameters: { project: this.projectId },
    })
    return rows
      .map(({ id, last: [properties, isDeleted, isIdentified, version] }) => ({
        id,
        isDeleted,
        properties: JSON.parse(properties) as JsonObject,
        is_identified: isIdentified,
        version,
      }))
      .filter(({ isDeleted }) => !isDeleted)
      .map(({ isDeleted: _, ...person }) => person)
  }

  async storedPersons(): Promise<{ id: string; properties: JsonObject; version: number; is_identified: boolean }[]> {
    const { rows } = await this.stores.pool.query(
      `SELECT id, properties, version::int, is_identified FROM person
        WHERE project_id = $1 AND NOT is_deleted ORDER BY id`,
      [this.projectId],
    )
    return rows
  }

  async count(sql: string): Promise<number> {
    const { rows } = await this.stores.pool.query<{ count: number }>(`SELECT count(*)::int FROM ${sql}`, [
      this.projectId,
    ])
    return rows[0]?.count ?? 0
  }
}
