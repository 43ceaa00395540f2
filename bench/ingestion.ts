import "reflect-metadata"
import { randomUUID } from "node:crypto"
import { parseArgs } from "node:util"
import { createBatchLog } from "../src/features/ingestion/batches/batch.store.js"
import { processBatch } from "../src/features/ingestion/batches/process-batch.js"
import { DefinitionCatalogue } from "../src/features/ingestion/definitions/definition-catalogue.js"
import { ClickHouseSink } from "../src/features/ingestion/rows/click-house-sink.store.js"
import { EVENT_COLUMNS } from "../src/features/ingestion/rows/event-row.js"
import { SpareCatalogue } from "../src/features/ingestion/spares/spare-catalogue.js"
import { readFields } from "../src/kernel/tab-separated.js"
import type { ClickHouse, FieldInsert, Insert } from "../src/platform/clickhouse/click-house.js"
import { systemClock } from "../src/platform/clock/system-clock.js"
import { silentLogger } from "../src/platform/logger/logger.js"
import { NO_RECORDINGS } from "../test/features/ingestion/batches/journey.js"
import { type RealStores, startRealStores } from "../test/features/ingestion/real-stores.js"
import { appendToLog } from "../test/support/append-to-log.js"
import { acceptedEvents } from "./support/accepted-events.js"
import { type CpuSeconds, cpuBetween, cpuSecondsOf } from "./support/cpu.js"
import { printTable } from "./support/table.js"
import { measureVisibility } from "./support/visibility.js"

/**
 * Ingestion against inserting the very same finished rows straight into the same ClickHouse, batch by batch in turn,
 * so that a busy machine slows all alike: as JSON, one object a line, as nearly everybody inserts, and as the escaped
 * fields that ingestion itself sends. The first batch is not counted: the compiler is at work, as nowhere in a server
 * that has run for a minute. Then a whole server at half of the rate of ingestion: time from the 200 to the query that
 * shows the event, and memory meanwhile. With `--alone` only the processor time of ingestion, which says something on a
 * busy machine as well, above all in turn with another version.
 */
const { values: options } = parseArgs({ options: { alone: { type: "boolean", default: false } } })
const EVENTS = 240_000
const BATCH_SIZE = 100
const REQUESTS_PER_ROW = 4
const PROJECT = 4
const SHARD = 0
const STEADY_SECONDS = 20
/** What is left of the field for null when escapes are undone. */
const NULL_READ = "N"

interface Rates {
  readonly ingestion: number
  readonly asJson: number
  readonly asFields: number
  /** Of ingestion and its stores, merges that ran meanwhile included, for so many events. */
  readonly cpu: CpuSeconds
  readonly stored: number
}

const stores = await startRealStores()
const rates = await compare(stores)
await stores.stop()
if (options.alone) showProcessorTime(rates)
else await showRates(rates)

function showProcessorTime({ cpu, stored }: Rates): void {
  const perEvent = (seconds: number): string => `${((seconds * 1e6) / stored).toFixed(1)} µs`
  process.stdout.write(
    `${stored.toLocaleString("en")} events took ${perEvent(cpu.own + cpu.children)} of processor time each, ` +
      `${perEvent(cpu.own)} in ingestion and ${perEvent(cpu.children)} in the stores.\n`,
  )
}

async function showRates({ ingestion, asJson, asFields }: Rates): Promise<void> {
  const eventsPerSecond = Math.floor(ingestion / 2)
  const { p50Ms, p99Ms, probes, peakMegabytes, peakByProgram } = await measureVisibility({
    eventsPerSecond,
    seconds: STEADY_SECONDS,
  })
  const row = (what: string, perSecond: number): string[] => [
    what,
    Math.round(perSecond).toLocaleString("en"),
    (ingestion / perSecond).toFixed(2),
  ]
  printTable(
    ["", "events/s", "ingestion runs at"],
    [
      row("inserting finished rows straight into ClickHouse, as JSON", asJson),
      row("inserting them as escaped fields", asFields),
      row("ingestion, log to queryable", ingestion),
    ],
  )
  process.stdout.write(
    `\nAt half of that (${eventsPerSecond} events/s) an event is queryable ${Math.round(p50Ms)} ms (p50), ` +
      `${Math.round(p99Ms)} ms (p99) after its 200 (${probes} probes).\n`,
  )
  const programs = [...peakByProgram].map(([program, megabytes]) => `${program} ${Math.round(megabytes)}`).join(", ")
  process.stdout.write(
    `All processes together held at most ${Math.round(peakMegabytes)} MB meanwhile (proportional), each for itself: ` +
      `${programs}.\n`,
  )
}

async function compare({ pool, clickHouse }: RealStores): Promise<Rates> {
  await fillLog(pool)
  await clickHouse.command({ sql: await copyOfEvents(clickHouse) })
  const eventInserts: FieldInsert[] = []
  const watched = {
    insert: async (insert: Insert) => {
      await clickHouse.insert(insert)
      if (insert.table === "events" && "blocks" in insert) eventInserts.push(insert)
    },
  }
  const client = await pool.connect()
  const log = createBatchLog(client, {
    clock: systemClock,
    ids: { uuidV4: () => randomUUID() },
    mergeListeners: [],
    makeSalts: async () => undefined,
    crashPoints: null,
  })
  const sink = new ClickHouseSink(watched, silentLogger)
  const work = {
    sink,
    definitions: new DefinitionCatalogue(),
    spares: new SpareCatalogue(systemClock),
    snapshots: NO_RECORDINGS,
    geoIp: null,
    geoIpPlugin: { findSwitchedOff: async () => new Set<never>(), logMiss: () => undefined },
  }
  const timed = async (insert: Insert): Promise<number> => {
    const startedAtMs = performance.now()
    await clickHouse.insert({ ...insert, table: "events_copy", deduplicationToken: randomUUID() })
    return performance.now() - startedAtMs
  }
  let spent = { ingestionMs: 0, asJsonMs: 0, asFieldsMs: 0 }
  let stored = 0
  let cpuBefore = cpuSecondsOf(process.pid)
  for (let isWarm = false; ; isWarm = true) {
    const startedAtMs = performance.now()
    const batch = await log.claim(SHARD)
    if (batch === null) break
    stored += (await processBatch(log, batch, work)).stored
    spent.ingestionMs += performance.now() - startedAtMs
    for (const insert of options.alone ? [] : eventInserts) {
      spent.asFieldsMs += await timed(insert)
      spent.asJsonMs += await timed(toJson(insert))
    }
    eventInserts.length = 0
    if (isWarm) continue
    stored = 0
    cpuBefore = cpuSecondsOf(process.pid)
    spent = { ingestionMs: 0, asJsonMs: 0, asFieldsMs: 0 }
  }
  const cpu = cpuBetween(cpuBefore, cpuSecondsOf(process.pid))
  client.release()
  const perSecond = (ms: number): number => (stored * 1000) / ms
  return {
    ingestion: perSecond(spent.ingestionMs),
    asJson: perSecond(spent.asJsonMs),
    asFields: perSecond(spent.asFieldsMs),
    cpu,
    stored,
  }
}

/** The same rows as JSON texts. */
function toJson({ table, blocks }: FieldInsert): Insert {
  const rows = Buffer.concat(blocks)
    .toString("utf8")
    .trimEnd()
    .split("\n")
    .map((text) => {
      const fields = readFields(text)
      const read = (column: string): string => fields[EVENT_COLUMNS.indexOf(column)] ?? ""
      return JSON.stringify({
        ...Object.fromEntries(EVENT_COLUMNS.map((column) => [column, read(column)])),
        client_timestamp: read("client_timestamp") === NULL_READ ? null : read("client_timestamp"),
        historical_migration: read("historical_migration") === "true",
      })
    })
  return { table, rows }
}

/** As capture leaves it behind when several clients send batches at a time. */
async function fillLog(pool: RealStores["pool"]): Promise<void> {
  for (let from = 0; from < EVENTS; from += REQUESTS_PER_ROW * BATCH_SIZE) {
    const requests = Array.from({ length: REQUESTS_PER_ROW }, () => ({
      receivedAtMs: Date.now(),
      eventsJson: JSON.stringify(acceptedEvents(BATCH_SIZE)),
      eventCount: BATCH_SIZE,
    }))
    await appendToLog(pool, PROJECT, requests)
  }
}

async function copyOfEvents(clickHouse: ClickHouse): Promise<string> {
  const [table] = await clickHouse.rows<{ statement: string }>({
    sql: "SELECT create_table_query AS statement FROM system.tables WHERE database = currentDatabase() AND name = 'events'",
  })
  if (table === undefined) throw new Error("there is no table of events")
  return table.statement.replace(/^CREATE TABLE (\S+)\.events\b/, "CREATE TABLE $1.events_copy")
}
