import "reflect-metadata"
import { randomUUID } from "node:crypto"
import { ClickHouseSink } from "../src/features/ingestion/click-house-sink.store.js"
import { DefinitionCatalogue } from "../src/features/ingestion/definitions/definition-catalogue.js"
import { processSlice } from "../src/features/ingestion/process-slice.js"
import { createSliceLog } from "../src/features/ingestion/slice.store.js"
import type { ClickHouse, Insert } from "../src/platform/clickhouse/click-house.js"
import { silentLogger } from "../src/platform/logger/logger.js"
import { NO_RECORDINGS } from "../test/features/ingestion/journey.js"
import { type RealStores, startRealStores } from "../test/features/ingestion/real-stores.js"
import { acceptedEvents } from "./support/accepted-events.js"
import { printTable } from "./support/table.js"
import { measureVisibility } from "./support/visibility.js"

/**
 * Ingestion against inserting the very same finished rows straight into the same ClickHouse, slice by slice in turn, so that
 * a busy machine slows both. Then a whole server at half of that rate: time from the 200 to the query that shows the event, and
 * memory meanwhile.
 */
const EVENTS = 100_000
const BATCH_SIZE = 100
const PROJECT = 4
const SHARD = 0
const STEADY_SECONDS = 20

const stores = await startRealStores()
const { ingestion, direct } = await compare(stores)
await stores.stop()
const eventsPerSecond = Math.floor(ingestion / 2)
const { p50Ms, p99Ms, probes, peakMegabytes } = await measureVisibility({
  eventsPerSecond,
  seconds: STEADY_SECONDS,
})

printTable(
  ["", "events/s"],
  [
    ["inserting finished rows straight into ClickHouse", Math.round(direct).toLocaleString("en")],
    ["ingestion, log to queryable", Math.round(ingestion).toLocaleString("en")],
  ],
)
process.stdout.write(`\nIngestion runs at ${(ingestion / direct).toFixed(2)} of direct inserts.\n`)
process.stdout.write(
  `At half of that (${eventsPerSecond} events/s) an event is queryable ${Math.round(p50Ms)} ms (p50), ${Math.round(p99Ms)} ms (p99) after its 200 (${probes} probes).\n`,
)
process.stdout.write(`All processes together held at most ${Math.round(peakMegabytes)} MB meanwhile (proportional).\n`)

async function compare({ pool, clickHouse }: RealStores): Promise<{ ingestion: number; direct: number }> {
  await fillLog(pool)
  await clickHouse.command({ sql: await copyOfEvents(clickHouse) })
  const eventInserts: Insert[] = []
  const watched = {
    insert: async (insert: Insert) => {
      await clickHouse.insert(insert)
      if (insert.table === "events") eventInserts.push(insert)
    },
  }
  const client = await pool.connect()
  const log = createSliceLog({ client, newToken: randomUUID, now: () => Date.now(), mergeListeners: [] })
  const sink = new ClickHouseSink(watched, silentLogger)
  const work = {
    ...{ sink, definitions: new DefinitionCatalogue(), snapshots: NO_RECORDINGS },
    ...{ geoIp: null, geoIpPlugin: { switchedOffIn: async () => new Set<never>(), placeNotFound: () => undefined } },
  }
  let [ingestedMs, directMs, stored] = [0, 0, 0]
  for (;;) {
    const startedAtMs = performance.now()
    const slice = await log.claim(SHARD)
    if (slice === null) break
    stored += (await processSlice(log, slice, work)).stored
    const ingestedAtMs = performance.now()
    for (const insert of eventInserts.splice(0))
      await clickHouse.insert({ ...insert, table: "events_copy", deduplicationToken: randomUUID() })
    ingestedMs += ingestedAtMs - startedAtMs
    directMs += performance.now() - ingestedAtMs
  }
  client.release()
  return { ingestion: (stored * 1000) / ingestedMs, direct: (stored * 1000) / directMs }
}

async function fillLog(pool: RealStores["pool"]): Promise<void> {
  for (let from = 0; from < EVENTS; from += 10 * BATCH_SIZE) {
    const requests = Array.from({ length: 10 }, () => JSON.stringify(acceptedEvents(BATCH_SIZE)))
    await pool.query(
      `INSERT INTO ingest_log (project_id, received_at, client_ip, historical_migration, event_count, events)
       SELECT $1, now(), '203.0.113.7', false, $2, events FROM unnest($3::text[]) AS events`,
      [PROJECT, BATCH_SIZE, requests],
    )
  }
}

async function copyOfEvents(clickHouse: ClickHouse): Promise<string> {
  const [table] = await clickHouse.rows<{ statement: string }>({
    sql: "SELECT create_table_query AS statement FROM system.tables WHERE database = currentDatabase() AND name = 'events'",
  })
  if (table === undefined) throw new Error("there is no table of events")
  return table.statement.replace(/^CREATE TABLE (\S+)\.events\b/, "CREATE TABLE $1.events_copy")
}
