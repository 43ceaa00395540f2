import type { ClickHouse } from "../clickhouse/click-house.js"
import { StartupError } from "../embedded/startup-error.js"

type Reader = Pick<ClickHouse, "rows">

const COUNT_PARTS = `SELECT count() AS servers,
       (SELECT count() FROM system.macros WHERE macro IN ('shard', 'replica')) AS macros
  FROM system.clusters WHERE cluster = {name:String}`
const FIND_EVENTS = "SELECT engine FROM system.tables WHERE database = currentDatabase() AND name = 'events'"

/**
 * Makes sure that a server is one of the cluster, set up as its tables need it.
 * @throws StartupError naming what its configuration lacks.
 */
export async function requireCluster(clickHouse: Reader, name: string): Promise<void> {
  const parameters = { name }
  const [found] = await clickHouse.rows<{ servers: number; macros: number }>({ sql: COUNT_PARTS, parameters })
  if (found === undefined || found.servers === 0)
    throw new StartupError(`ClickHouse knows no cluster ${name}. Check CLICKHOUSE_CLUSTER and its remote_servers.`)
  if (found.macros < 2) throw new StartupError(`The servers of the cluster ${name} need the macros shard and replica.`)
}

/**
 * Makes sure that the tables were made for what they are used as: one server, or a cluster.
 * @throws StartupError when they are those of the other.
 */
export async function requireLayout(clickHouse: Reader, cluster: string | null): Promise<void> {
  const [events] = await clickHouse.rows<{ engine: string }>({ sql: FIND_EVENTS })
  if (events === undefined || (events.engine === "Distributed") === (cluster !== null)) return
  throw new StartupError(
    cluster === null
      ? "ClickHouse has the tables of a cluster. Name it by CLICKHOUSE_CLUSTER."
      : "ClickHouse has the tables of one server. CLICKHOUSE_CLUSTER begins with an empty database.",
  )
}
