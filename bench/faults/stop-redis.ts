import { createFlags } from "../support/flags.js"
import { type LoadResult, measure } from "../support/load.js"
import { decideBody } from "../support/payloads.js"
import { startWaymark } from "../support/server.js"
import { startSharedStores } from "../support/shared-stores.js"
import { printTable } from "../support/table.js"

/**
 * Redis is stopped with SIGSTOP under a load of decisions: it accepts and answers nothing. Rounds alternate, so that a slow
 * moment of the machine meets both.
 */
const FLAGS = 50
const ROUNDS = 3
const SECONDS = 2
const WARM_UP_SECONDS = 6
const CONNECTIONS = 32
/** Promised: how much later the slowest of a hundred answers may come while Redis hangs. */
const MAX_P99_RATIO = 2

const stores = await startSharedStores()
const server = await startWaymark({ environment: stores.environment })
const median = (values: readonly number[]): number =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
const row = (what: string, results: readonly LoadResult[]): string[] => [
  what,
  median(results.map(({ p50Ms }) => p50Ms)).toFixed(1),
  median(results.map(({ p99Ms }) => p99Ms)).toFixed(1),
  String(results.reduce((sum, { failures }) => sum + failures, 0)),
]

try {
  await createFlags(server.url, FLAGS)
  const load = {
    url: `${server.url}/decide?v=3`,
    body: decideBody,
    connections: CONNECTIONS,
    seconds: SECONDS,
    warmUpSeconds: 0,
  }
  await measure({ ...load, seconds: WARM_UP_SECONDS })
  const normal: LoadResult[] = []
  const hung: LoadResult[] = []
  for (let round = 0; round < ROUNDS; round++) {
    normal.push(await measure(load))
    stores.freezeRedis()
    hung.push(await measure(load))
    stores.thawRedis()
  }
  const p99Of = (results: readonly LoadResult[]): number => median(results.map(({ p99Ms }) => p99Ms))
  const ratio = p99Of(hung) / p99Of(normal)
  printTable(
    [`/decide, ${FLAGS} flags, median of ${ROUNDS} rounds`, "p50 ms", "p99 ms", "failures"],
    [row("with Redis", normal), row("with Redis stopped", hung)],
  )
  const failures = hung.reduce((sum, result) => sum + result.failures, 0)
  const isKept = ratio <= MAX_P99_RATIO && failures === 0
  process.stdout.write(
    `\np99 with Redis stopped is ${ratio.toFixed(2)} times that with Redis (promised: at most ${MAX_P99_RATIO}), ${failures} failures: ${isKept ? "kept" : "NOT kept"}\n`,
  )
  process.exitCode = isKept ? 0 : 1
} finally {
  await server.stop()
  await stores.stop()
}
