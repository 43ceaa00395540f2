import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { startEmbeddedClickHouse } from "../../src/platform/embedded/embedded-clickhouse.js"
import { silentLogger } from "../../src/platform/logger/logger.js"

export const CLUSTER_NAME = "one_shard"
/** Two shards whose servers are away: good for plans. */
export const ABSENT_CLUSTER_NAME = "two_shards"
const ON_CLUSTER = / ON CLUSTER `\w+`/g

/**
 * A cluster of one shard with one replica, as the engine runs it without a network: the server that holds the shard is
 * the engine itself, and its Keeper lives in its memory.
 */
const CLUSTER_CONFIGURATION = `<clickhouse>
  <tcp_port>9000</tcp_port>
  <zookeeper><implementation>testkeeper</implementation></zookeeper>
  <macros><shard>1</shard><replica>a</replica></macros>
  <remote_servers><${CLUSTER_NAME}><shard>
    <internal_replication>true</internal_replication>
    <replica><host>127.0.0.1</host><port>9000</port></replica>
  </shard></${CLUSTER_NAME}>
  <${ABSENT_CLUSTER_NAME}>
    <shard><replica><host>127.0.0.1</host><port>1</port></replica></shard>
    <shard><replica><host>127.0.0.1</host><port>2</port></replica></shard>
  </${ABSENT_CLUSTER_NAME}></remote_servers>
</clickhouse>
`
const USERS_CONFIGURATION = `<clickhouse>
  <users><default><grants replace="replace">
    <query>GRANT ALL ON *.*</query>
  </grants></default></users>
  <profiles><default>
    <allow_nondeterministic_mutations>1</allow_nondeterministic_mutations>
    <skip_unavailable_shards>1</skip_unavailable_shards>
    <compatibility>25.8</compatibility>
    <enable_join_runtime_filters>1</enable_join_runtime_filters>
  </default></profiles>
</clickhouse>
`

/** Settings that say something of other servers; the engine's process takes none of them from a statement. */
const OF_OTHER_SERVERS = [
  "load_balancing",
  "prefer_localhost_replica",
  "skip_unavailable_shards",
  "insert_quorum",
  "insert_quorum_timeout",
  "parallel_distributed_insert_select",
  "allow_nondeterministic_mutations",
  "compatibility",
]
/** A server's `http_max_field_value_size`. */
const MAX_FIELD_BYTES = 128 * 1024

export interface OneShardCluster {
  readonly url: string
  /** Of the engine itself, which takes statements as they are. */
  readonly engineUrl: string
  /** Statements that were meant for all servers, as they came. */
  readonly onCluster: string[]
  stop(): Promise<void>
}

export const withoutCluster = (sql: string): string => sql.replaceAll(ON_CLUSTER, "")

/**
 * What the engine can do of a statement: it has no queue that hands statements ON CLUSTER to other servers, and does
 * not write to a replicated table, because no other server could ask it for parts.
 */
const toRunnable = (sql: string): string =>
  withoutCluster(sql)
    .replace(/ENGINE = Replicated(\w+)\('[^']+', '\{replica\}'(?:, )?/, "ENGINE = $1(")
    .replace(/\breplicated_deduplication_window = (\d+)/, "non_replicated_deduplication_window = $1")
    .replace(/, replicated_deduplication_window_seconds = \d+/, "")

/** Starts the engine as a cluster, behind a server that makes what it can do of each statement. */
export async function startOneShardCluster(): Promise<OneShardCluster> {
  const dataDirectory = mkdtempSync(join(tmpdir(), "waymark-cluster-"))
  for (const [folder, text] of [
    ["config.d", CLUSTER_CONFIGURATION],
    ["users.d", USERS_CONFIGURATION],
  ] as const) {
    const directory = join(dataDirectory, "clickhouse", "engine", folder)
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    writeFileSync(join(directory, "cluster.xml"), text)
  }
  const engine = await startEmbeddedClickHouse({ dataDirectory, logger: silentLogger })
  const onCluster: string[] = []
  const server = createServer((asked, answer) => void pass(asked, answer, engine.url, onCluster))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: Object.assign(new URL(engine.url), { port: String((server.address() as AddressInfo).port) }).href,
    engineUrl: engine.url,
    onCluster,
    stop: async () => {
      await stopServer(server)
      await engine.stop()
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}

async function pass(asked: IncomingMessage, answer: ServerResponse, url: string, onCluster: string[]): Promise<void> {
  const { searchParams } = new URL(asked.url ?? "", url)
  const isTooLong = [...searchParams.values()].some((value) => Buffer.byteLength(value) > MAX_FIELD_BYTES)
  if (isTooLong) return void answer.writeHead(400).end("Field value too long")
  // What it turns off of itself, but not here, where the engine has all else of it for every statement.
  if (searchParams.has("compatibility")) searchParams.set("enable_join_runtime_filters", "0")
  for (const name of OF_OTHER_SERVERS) searchParams.delete(name)
  const { authorization = "", "content-type": contentType = "" } = asked.headers
  const { hostname, port } = new URL(url)
  const path = `/?${searchParams}`
  const passed = request({
    hostname,
    port,
    path,
    method: "POST",
    headers: { authorization, "content-type": contentType },
    agent: false,
  })
  passed.once("response", (answered) => {
    answer.writeHead(answered.statusCode ?? 500, answered.headers)
    answered.pipe(answer)
    answered.once("error", () => answer.destroy())
  })
  passed.once("error", () => answer.destroy())
  answer.once("close", () => passed.destroy())
  if (searchParams.has("query")) return void asked.pipe(passed)
  const sql = (await buffer(asked)).toString("latin1")
  if (withoutCluster(sql) !== sql) onCluster.push(Buffer.from(sql, "latin1").toString())
  passed.end(Buffer.from(toRunnable(sql), "latin1"))
}

const stopServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
