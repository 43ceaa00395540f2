import { rmSync } from "node:fs"
import { loadavg } from "node:os"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setTimeout as pause } from "node:timers/promises"
import { killAll } from "../support/process-id.js"
import { type RunningServer, startWaymark } from "../support/server.js"
import { TreeWatch } from "../support/tree-watch.js"
import { NO_ANSWER, type Sample } from "./arrivals.js"
import type { Attack } from "./attack.types.js"
import { AttackerProcess } from "./attacker-process.js"
import { EventProbe, type Visibility } from "./event-probe.js"
import { KINDS, type Kind, Neighbour } from "./neighbour.js"
import { createTenants } from "./tenants.js"

/** What one kind of request of the neighbour took. */
export interface KindReport {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly worstMs: number
  /** Answers outside 2xx and requests without one, by status or reason. */
  readonly failures: Readonly<Record<string, number>>
}

/** What one attack did. Memory in megabytes of all processes together, shared pages counted once. */
export interface AttackReport {
  readonly attack: string
  readonly quiet: Readonly<Record<Kind, KindReport>>
  readonly attacked: Readonly<Record<Kind, KindReport>>
  /** Null when it lived; else how it ended, and seconds after the beginning of the attack. */
  readonly death: { readonly by: number | string; readonly afterSeconds: number } | null
  /** Whether it said within seconds after the attack that it lives. */
  readonly isAlive: boolean
  readonly idleMegabytes: number
  readonly peakMegabytes: number
  readonly idleDiskMegabytes: number
  readonly peakDiskMegabytes: number
  readonly visibility: Visibility
  /** What the attacker got, by status or reason. */
  readonly outcomes: Readonly<Record<string, number>>
  /** Longest delay of the measuring process's own event loop: what a stall of the server has to be longer than. */
  readonly ownDelayMs: number
  /** Processes that wanted the processor in the minute before the attack, those of others included. */
  readonly loadBefore: number
}

export interface AttackRunOptions {
  readonly quietSeconds: number
  readonly attackSeconds: number
  readonly checkout?: string
}

const WARM_UP_SECONDS = 4
const LIVEZ_WITHIN_MS = 5_000
/** Time for what the attack has left under way, before memory is read for the last time. */
const STOP_WITHIN_MS = 15_000
const NANOSECONDS_PER_MS = 1e6

/** Runs one attack against a new server on an empty directory, with the neighbour measured before and meanwhile. */
export async function runAttack(attack: Attack, options: AttackRunOptions): Promise<AttackReport> {
  const server = await startWaymark({
    ...(options.checkout !== undefined && { checkout: options.checkout }),
    environment: { LOG_LEVEL: "error" },
  })
  const watch = new TreeWatch(server)
  const attacker = new AttackerProcess()
  try {
    return await measure(attack, options, server, watch, attacker)
  } finally {
    attacker.kill()
    await end(server, watch)
  }
}

async function measure(
  attack: Attack,
  { quietSeconds, attackSeconds }: AttackRunOptions,
  server: RunningServer,
  watch: TreeWatch,
  attackerProcess: AttackerProcess,
): Promise<AttackReport> {
  const { url } = server
  const tenants = await createTenants(url)
  const neighbour = new Neighbour(url, tenants.neighbour)
  await neighbour.prepare()
  await attackerProcess.prepare(attack.name, { url, tenant: tenants.attacker })
  await neighbour.warmUp(WARM_UP_SECONDS)
  await watch.look()
  const loadBefore = loadavg()[0] ?? 0
  const quiet = await neighbour.measure(quietSeconds)
  const idle = await watch.look()

  const ownDelay = monitorEventLoopDelay({ resolution: 5 })
  ownDelay.enable()
  const startedAt = performance.now()
  let death: AttackReport["death"] = null
  void server.ended.then((by) => {
    death = { by, afterSeconds: (performance.now() - startedAt) / 1000 }
  })
  const over = new AbortController()
  const probing = new EventProbe(url, neighbour.tenant).measure(over.signal, server.ended)
  attackerProcess.run()
  const attacked = await neighbour.measure(attackSeconds)
  ownDelay.disable()
  const outcomes = await attackerProcess.end()
  over.abort()
  const isAlive = death === null && (await saysItLives(url))
  const visibility = await probing
  const peak = await watch.look()
  neighbour.close()
  return {
    attack: attack.name,
    quiet: toReports(quiet),
    attacked: toReports(attacked),
    death,
    isAlive,
    idleMegabytes: idle.peakMegabytes,
    peakMegabytes: peak.peakMegabytes,
    idleDiskMegabytes: idle.peakDiskMegabytes,
    peakDiskMegabytes: peak.peakDiskMegabytes,
    visibility,
    outcomes,
    ownDelayMs: ownDelay.max / NANOSECONDS_PER_MS,
    loadBefore,
  }
}

async function saysItLives(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/_livez`, { signal: AbortSignal.timeout(LIVEZ_WITHIN_MS) })).ok
  } catch {
    return false
  }
}

/** In good order if it can; what is left of the server's own processes is killed, and the directory removed. */
async function end(server: RunningServer, watch: TreeWatch): Promise<void> {
  const { processes } = await watch.look()
  await watch.stop()
  await Promise.race([server.stop(), pause(STOP_WITHIN_MS, undefined, { ref: false })])
  killAll(processes)
  await server.ended
  rmSync(server.dataDirectory, { recursive: true, force: true, maxRetries: 10 })
}

const toReports = (samples: ReadonlyMap<Kind, readonly Sample[]>): Readonly<Record<Kind, KindReport>> =>
  Object.fromEntries(KINDS.map((kind) => [kind, toReport(samples.get(kind) ?? [])])) as Record<Kind, KindReport>

function toReport(samples: readonly Sample[]): KindReport {
  const failures: Record<string, number> = {}
  for (const { outcome } of samples)
    if (outcome !== 200) failures[String(outcome)] = (failures[String(outcome)] ?? 0) + 1
  // A connection that is refused at once says nothing about how long anything takes.
  const waited = samples.filter(({ outcome }) => typeof outcome === "number" || outcome === NO_ANSWER)
  const sorted = waited.map(({ ms }) => ms).sort((a, b) => a - b)
  const quantile = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  return { p50Ms: quantile(0.5), p99Ms: quantile(0.99), worstMs: sorted.at(-1) ?? 0, failures }
}
