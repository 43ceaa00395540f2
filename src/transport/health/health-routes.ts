import { type RequestHandler, Router } from "express"
import type { Registry } from "prom-client"
import { isUp, PROBE_TIMEOUT_MS, within } from "../../kernel/probe.js"
import { rememberFor } from "../../kernel/remember-for.js"
import { sendReply } from "../wire/send-reply.js"

/** How far ingestion is behind what was acknowledged. */
export interface IngestionProgress {
  /** Events acknowledged since the data directory was made. */
  readonly accepted: number
  /** Of these, how many queries can see (or were set aside with a reason). */
  readonly stored: number
  /** Age of the oldest that is not stored yet; 0 when there is none. */
  readonly oldestUnstoredSeconds: number
  /** Parts of the log that no process works on. */
  readonly shardsWithoutOwner: number
  /** When these numbers were read; they may be shown for a moment. */
  readonly measuredAt: Date
}

/** Why no events are accepted just now: too little free disk, or as many waiting as may. */
export type CaptureRefusal = "disk" | "backlog"

/** How far the flag rules of this process may be behind. */
export interface FlagRuleAge {
  readonly projects: number
  /** Seconds since they were last known to be current; null when they never were. */
  readonly ageSeconds: number | null
}

/** What the health routes ask. */
export interface HealthProbes {
  /** Rejects or throws when the store of that name does not answer. */
  readonly stores: Readonly<Record<string, () => Promise<void>>>
  /** Null in a process that cannot tell. */
  readonly ingestion: () => Promise<IngestionProgress | null>
  /** Lag that is told as a warning, in seconds. */
  readonly maxUsualLagSeconds: number
  /** Why no events are accepted just now; null while they are. */
  readonly captureRefusal: () => CaptureRefusal | null
  /** Absent in a process that decides no flags. */
  readonly flagRules?: () => FlagRuleAge
  /** Whether the process has started and is not shutting down. */
  readonly isServing: () => boolean
  /** Null where they are served elsewhere. */
  readonly metrics: Registry | null
  /** How long a store may take to answer before it counts as down. */
  readonly probeTimeoutMs?: number
}

/** A collection of all figures is not asked for more often than this. */
const METRICS_KEPT_MS = 1_000

/** What is asked of a server that may be in trouble. */
export const HEALTH_PATHS: readonly string[] = ["/_livez", "/_readyz", "/metrics"]

/** `/metrics`. Many who read it cost as much as one. */
export function createMetricsRoute(metrics: Registry): RequestHandler {
  const routes = Router()
  const readMetrics = rememberFor(METRICS_KEPT_MS, () => metrics.metrics())
  routes.get("/metrics", async (_request, response) => {
    const headers = { "Content-Type": metrics.contentType }
    sendReply(response, { status: 200, headers, body: await readMetrics() })
  })
  return routes
}

/** `/_livez` and `/_readyz`, and `/metrics` unless it has a port of its own. */
export function createHealthRoutes(probes: HealthProbes): RequestHandler {
  const routes = Router()
  const readReadiness = rememberFor(0, () => readiness(probes))
  routes.get("/_livez", (_request, response) => sendReply(response, { status: 200, body: { status: "ok" } }))
  routes.get("/_readyz", async (_request, response) => sendReply(response, await readReadiness()))
  if (probes.metrics !== null) routes.use(createMetricsRoute(probes.metrics))
  return routes
}

async function readiness(probes: HealthProbes) {
  const { stores, ingestion, flagRules, isServing, captureRefusal, probeTimeoutMs = PROBE_TIMEOUT_MS } = probes
  const states = await Promise.all(
    Object.entries(stores).map(async ([name, probe]) => [name, (await isUp(probe, probeTimeoutMs)) ? "up" : "down"]),
  )
  const progress = await within(ingestion(), probeTimeoutMs).catch(() => null)
  const refusal = captureRefusal()
  const ready = isServing() && states.every(([, state]) => state === "up")
  return {
    status: ready ? 200 : 503,
    headers: { "Cache-Control": "no-store" },
    body: {
      status: ready ? "ready" : "not ready",
      stores: Object.fromEntries(states),
      ingestion: progress && {
        accepted: progress.accepted,
        stored: progress.stored,
        oldest_unstored_seconds: progress.oldestUnstoredSeconds,
        shards_without_owner: progress.shardsWithoutOwner,
        measured_at: progress.measuredAt,
      },
      capture: { accepting: refusal === null, reason: refusal },
      ...(flagRules && { flag_rules: presentAge(flagRules()) }),
      warnings: [...toLagWarnings(progress, probes.maxUsualLagSeconds), ...toCaptureWarnings(refusal)],
    },
  }
}

/** What an operator should look into although the process is ready (`docs/contract/faults.md#overload-of-ingestion`). */
function toLagWarnings(progress: IngestionProgress | null, maxUsualLagSeconds: number): string[] {
  if (progress === null) return []
  const { oldestUnstoredSeconds, shardsWithoutOwner } = progress
  return [
    ...(oldestUnstoredSeconds > maxUsualLagSeconds
      ? [`Ingestion is behind: an event has waited for ${Math.round(oldestUnstoredSeconds)} seconds.`]
      : []),
    ...(shardsWithoutOwner > 0
      ? [`Nobody ingests ${shardsWithoutOwner} of the log's shards: a process with the role ingest is missing.`]
      : []),
  ]
}

const toCaptureWarnings = (refusal: CaptureRefusal | null): string[] =>
  refusal === null
    ? []
    : [`Events are refused: ${refusal === "disk" ? "the disk is nearly full" : "too many wait to be stored"}.`]

const presentAge = ({ projects, ageSeconds }: FlagRuleAge) => ({ projects, age_seconds: ageSeconds })
