import { cpuSecondsOf } from "./support/cpu.js"
import { type LoadResult, measure } from "./support/load.js"
import { decideBody } from "./support/payloads.js"
import { sameFlags, toWaymarkFilters } from "./support/same-flags.js"
import { PERSONAL_KEY, startBareServer, startWaymark } from "./support/server.js"
import { printTable } from "./support/table.js"
import { startUnleash } from "./support/unleash.js"

/**
 * Waymark's `/decide` beside the frontend API of an unleash-server: the same flags, the same load, one after the other in one
 * run. The argument is a folder in which `npm install unleash-server` was run; nothing is installed here.
 */
const FLAGS = 50
const ROUNDS = 2
const installation = process.argv[2]
if (installation === undefined) throw new Error("Name a folder in which `npm install unleash-server` was run.")

interface Round extends LoadResult {
  /** Processor time of the server process for one answer, microseconds. */
  readonly cpuMicros: number
}

async function measureWithCpu(pid: number, load: Parameters<typeof measure>[0]): Promise<Round> {
  let before = 0
  const result = await measure({
    ...load,
    onWarm: () => {
      before = cpuSecondsOf(pid).own
    },
  })
  return { ...result, cpuMicros: ((cpuSecondsOf(pid).own - before) * 1e6) / result.requests }
}

const userOf = (body: string): string => {
  const { distinct_id: userId, person_properties: properties } = JSON.parse(body)
  return JSON.stringify({ context: { userId, properties: { plan: properties.plan, email: properties.email } } })
}
const best = (rounds: readonly Round[]): Round =>
  rounds.reduce((one, other) => (other.requestsPerSecond > one.requestsPerSecond ? other : one))
const row = (what: string, result: Round, base: Round): string[] => [
  what,
  Math.round(result.requestsPerSecond).toLocaleString("en"),
  (result.requestsPerSecond / base.requestsPerSecond).toFixed(2),
  result.p50Ms.toFixed(1),
  result.p99Ms.toFixed(1),
  result.cpuMicros.toFixed(0),
  String(result.failures),
]

const flags = sameFlags(FLAGS)
const bare = await startBareServer()
const waymark = await startWaymark()
const unleash = await startUnleash(installation)
try {
  for (const flag of flags) {
    const response = await fetch(`${waymark.url}/api/projects/@current/feature_flags/`, {
      method: "POST",
      headers: { authorization: `Bearer ${PERSONAL_KEY}`, "content-type": "application/json" },
      body: JSON.stringify({ key: flag.key, active: true, filters: toWaymarkFilters(flag) }),
    })
    if (!response.ok) throw new Error(`${flag.key}: ${response.status} ${await response.text()}`)
  }
  await unleash.createFlags(flags)
  const rounds: Record<"bare" | "waymark" | "unleash", Round[]> = { bare: [], waymark: [], unleash: [] }
  for (let round = 0; round < ROUNDS; round++) {
    rounds.bare.push(await measureWithCpu(bare.pid, { url: bare.url, body: decideBody }))
    const decide = { url: `${waymark.url}/decide?v=3`, body: decideBody }
    rounds.waymark.push(await measureWithCpu(waymark.pid, decide))
    const { url, headers, pid } = unleash
    rounds.unleash.push(
      await measureWithCpu(pid, { url: `${url}/api/frontend`, body: () => userOf(decideBody()), headers }),
    )
  }
  const [base, ours, theirs] = [best(rounds.bare), best(rounds.waymark), best(rounds.unleash)]
  printTable(
    [`${FLAGS} flags`, "requests/s", "ratio to bare", "p50 ms", "p99 ms", "CPU µs", "failures"],
    [
      row("bare node:http", base, base),
      row("Waymark /decide?v=3", ours, base),
      row("Unleash /api/frontend", theirs, base),
    ],
  )
  const ratio = (ours.requestsPerSecond / theirs.requestsPerSecond).toFixed(2)
  const cpuRatio = (theirs.cpuMicros / ours.cpuMicros).toFixed(2)
  process.stdout.write(
    `\nWaymark answers ${ratio} times as many requests a second, with 1/${cpuRatio} of the processor time each.\n`,
  )
} finally {
  await Promise.all([bare.stop(), waymark.stop(), unleash.stop()])
}
