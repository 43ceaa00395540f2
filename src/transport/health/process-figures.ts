import { statfs } from "node:fs/promises"
import { totalmem } from "node:os"
import { Gauge, type Registry } from "prom-client"

/** What is known of the connections to stores, and of the rest of the process, whenever somebody asks. */
export interface ProcessFigures {
  readonly postgresConnections: () => readonly {
    readonly pool: string
    readonly inUse: number
    readonly idle: number
    readonly waiting: number
  }[]
  readonly clickHouseStatements: () => { readonly running: number; readonly waiting: number }
  /** WebSockets and streams of events that are open. */
  readonly openStreams: () => number
  /** Shards of the log that this process works on. */
  readonly ownedShards: () => number
  /** Memory of the embedded servers by name, in bytes. */
  readonly serverMemory: () => Promise<ReadonlyMap<string, number>>
  /** Bytes of memory that cached answers take. */
  readonly cachedBytes: () => number
  /** Folder whose file system is looked at. */
  readonly dataDirectory: string
}

/** Registers what this process holds of stores, streams, shards and disk. */
export function registerProcessFigures(registry: Registry, figures: ProcessFigures): void {
  const gauge = (name: string, help: string, labelNames: string[], collect: (gauge: Gauge) => void | Promise<void>) =>
    new Gauge({
      name: `waymark_${name}`,
      help,
      labelNames,
      registers: [registry],
      collect() {
        return collect(this)
      },
    })
  gauge(
    "postgres_connections",
    "Connections to PostgreSQL by what they are for: in use, idle, and how many wait for one.",
    ["pool", "state"],
    (own) => {
      for (const { pool, inUse, idle, waiting } of figures.postgresConnections()) {
        own.set({ pool, state: "in_use" }, inUse)
        own.set({ pool, state: "idle" }, idle)
        own.set({ pool, state: "waiting" }, waiting)
      }
    },
  )
  gauge(
    "clickhouse_statements",
    "Statements sent to ClickHouse, and those that wait for a connection.",
    ["state"],
    (own) => {
      const { running, waiting } = figures.clickHouseStatements()
      own.set({ state: "running" }, running)
      own.set({ state: "waiting" }, waiting)
    },
  )
  gauge("streams_open", "WebSockets and streams of events that are open.", [], (own) => own.set(figures.openStreams()))
  gauge("ingestion_owned_shards", "Shards of the log that this process works on.", [], (own) =>
    own.set(figures.ownedShards()),
  )
  gauge(
    "server_memory_bytes",
    "Memory of the embedded servers, all their processes together.",
    ["server"],
    async (own) => {
      own.reset()
      for (const [server, bytes] of await figures.serverMemory()) own.set({ server }, bytes)
    },
  )
  gauge("cached_bytes", "Memory of this process that cached answers take, about.", [], (own) =>
    own.set(figures.cachedBytes()),
  )
  gauge("memory_limit_bytes", "Memory that this process and the embedded servers may take together.", [], (own) =>
    own.set(Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem())),
  )
  const disk = (name: string, help: string, read: (stats: { bavail: number; blocks: number }) => number) =>
    gauge(`disk_${name}_bytes`, help, [], async (own) => {
      const stats = await statfs(figures.dataDirectory).catch(() => null)
      own.set(stats === null ? Number.NaN : read(stats) * stats.bsize)
    })
  disk("free", "Bytes that may still be written on the disk of DATA_DIR.", ({ bavail }) => bavail)
  disk("size", "Bytes of the disk of DATA_DIR.", ({ blocks }) => blocks)
}
