import type { ClickHouse } from "../platform/clickhouse/click-house.js"
import { createClickHouse } from "../platform/clickhouse/click-house-client.js"
import { StartupError } from "../platform/embedded/startup-error.js"
import { silentLogger } from "../platform/logger/logger.js"
import { type Progress, showProgress } from "../platform/progress/progress.js"
import type { Environment } from "./environment.js"
import type { reachStores } from "./reach-stores.js"

interface OpenStores {
  readonly postgres: string
  readonly clickHouse: ClickHouse
}

const CLUSTER_KEEPS_ITSELF =
  "A ClickHouse cluster is not read by this command: BACKUP and RESTORE of ClickHouse do that ON CLUSTER."

/**
 * Runs the work of a command over both stores, and shows on a terminal how far it is.
 * @throws StartupError for stores that it does not reach, and for a cluster.
 */
export async function withStores<T>(
  environment: Environment,
  open: typeof reachStores,
  work: (stores: OpenStores, progress: Progress) => Promise<T>,
): Promise<T> {
  if (environment.clickHouseCluster !== null) throw new StartupError(CLUSTER_KEEPS_ITSELF)
  const started = new AsyncDisposableStack()
  const progress = showProgress(process.stderr)
  try {
    const urls = await open(environment, started, silentLogger)
    const clickHouse = createClickHouse({ url: urls.clickHouse, logger: silentLogger })
    started.defer(() => clickHouse.close())
    return await work({ postgres: urls.postgres, clickHouse }, progress)
  } finally {
    progress.end()
    await started.disposeAsync()
  }
}

/** Aborts with a message when the command is told to stop, so that it can put away what it has begun. */
export function untilInterrupted(message: string): AbortSignal {
  const interruption = new AbortController()
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.once(name, () => interruption.abort(new StartupError(message)))
  return interruption.signal
}
