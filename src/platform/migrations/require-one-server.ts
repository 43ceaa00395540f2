import type { ClickHouse } from "../clickhouse/click-house.js"
import { StartupError } from "../embedded/startup-error.js"

/** A balancer that takes turns shows itself at the second; one that draws lots between two hides once in 128 starts. */
const CONNECTIONS = 8

/**
 * Makes sure that an address is that of one ClickHouse server: what one of several has just stored is not in the next.
 * @param open a client with connections of its own.
 * @param clickHouseName what the operator knows the store by.
 * @throws StartupError when two connections end at different servers.
 */
export async function requireOneServer(
  open: () => Pick<ClickHouse, "rows" | "close">,
  clickHouseName: string,
): Promise<void> {
  const ids = await Promise.all(Array.from({ length: CONNECTIONS }, () => readServerId(open())))
  const count = new Set(ids).size
  if (count === 1) return
  throw new StartupError(
    `${clickHouseName} is ${count} servers or more behind one address. Set CLICKHOUSE_URL to one of them, or CLICKHOUSE_CLUSTER.`,
  )
}

async function readServerId(clickHouse: Pick<ClickHouse, "rows" | "close">): Promise<string | undefined> {
  try {
    const [server] = await clickHouse.rows<{ id: string }>({ sql: "SELECT toString(serverUUID()) AS id" })
    return server?.id
  } finally {
    await clickHouse.close()
  }
}
