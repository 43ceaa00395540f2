import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startEmbeddedClickHouse } from "../../src/platform/embedded/embedded-clickhouse.js"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { type PassingStatement, startClickHouseProxy } from "./click-house-proxy.js"

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
/** A server's `http_max_field_value_size`, which goes for fields of a form as well: what `docs/scaling.md` asks for. */
const MAX_FIELD_BYTES = 1024 * 1024
/** Begins what a server says of a request that it does not take. */
const FORM_FAULT = "Poco::Exception. Code: 1000, e.code() = 0, HTML Form Exception: "
/** A server's `http_max_uri_size`. */
const MAX_URL_BYTES = 1024 * 1024
/** Fields of a request that are no settings. */
const NO_SETTING = /^(?:query|query_id|database|wait_end_of_query|param_.*)$/

export interface OneShardCluster {
  readonly url: string
  /** Of the engine itself, which takes statements as they are. */
  readonly engineUrl: string
  /** Statements that were meant for all servers, as they came. */
  readonly onCluster: string[]
  /** Names of all settings that came with statements. */
  readonly settings: ReadonlySet<string>
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
  const settings = new Set<string>()
  const proxy = await startClickHouseProxy(() => engine.url, {
    change: ({ sql, fields }) => {
      if (withoutCluster(sql) !== sql) onCluster.push(sql)
      for (const name of fields.keys()) if (!NO_SETTING.test(name)) settings.add(name)
      return { sql: toRunnable(sql), fields: toKnownFields(fields) }
    },
    before: async (statement) => {
      requireShortFields(statement)
      requireFirstReplica(statement)
    },
  })
  return {
    url: proxy.url,
    engineUrl: engine.url,
    onCluster,
    settings,
    stop: async () => {
      await proxy.stop()
      await engine.stop()
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}

/** As a server does. */
function requireShortFields({ sql, fields, boundary }: PassingStatement): void {
  if (Buffer.byteLength(`/?${fields}`) > MAX_URL_BYTES)
    throw new Error(`${FORM_FAULT}URI too long (version 25.8.1.1 (official build))`)
  const ofForm = boundary === null ? [] : sql.split(boundary)
  const isTooLong = [...fields.values(), ...ofForm].some((field) => Buffer.byteLength(field) > MAX_FIELD_BYTES)
  if (isTooLong) throw new Error(`${FORM_FAULT}Field value too long (version 25.8.1.1 (official build))`)
}

/**
 * Stands for a second replica that has nothing yet of what was stored a moment ago: whatever may be answered by it is
 * refused, and so are inserts that are answered before most replicas have the rows.
 */
function requireFirstReplica({ sql, fields }: PassingStatement): void {
  const isSaid = (settings: Readonly<Record<string, string>>): boolean =>
    Object.entries(settings).every(([name, value]) => fields.get(name) === value)
  if (sql === "SELECT 1") return
  if (!isSaid({ load_balancing: "in_order", prefer_localhost_replica: "0" }))
    throw new Error("Code: 1. DB::Exception: A replica that lags may answer. (NOT_HERE_YET)")
  if (sql.startsWith("INSERT") && !isSaid({ insert_quorum: "auto", distributed_foreground_insert: "1" }))
    throw new Error("Code: 1. DB::Exception: It is answered before most replicas have the rows. (NOT_THERE_YET)")
}

function toKnownFields(sent: URLSearchParams): URLSearchParams {
  const fields = new URLSearchParams(sent)
  // What it turns off of itself, but not here, where the engine has all else of it for every statement.
  if (fields.has("compatibility")) fields.set("enable_join_runtime_filters", "0")
  for (const name of OF_OTHER_SERVERS) fields.delete(name)
  return fields
}
