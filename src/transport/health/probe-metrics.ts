import { Gauge, type Registry } from "prom-client"
import { isUp, PROBE_TIMEOUT_MS, within } from "../../kernel/probe.js"
import type { HealthProbes, IngestionProgress } from "./health-routes.js"

interface Probes extends Pick<HealthProbes, "stores" | "ingestion" | "captureRefusal" | "probeTimeoutMs"> {
  /** How many events could not be stored and are kept, by reason; reasons are few and known. */
  readonly deadLetters: () => Promise<ReadonlyMap<string, number>>
  /** How many exports by schedule are at an interval that could not be written. */
  readonly failingExports: () => Promise<number>
}

/**
 * Registers what `/_readyz` says of the stores and of ingestion as metrics, asked anew for each scrape: the same figures
 * in the same words, so that an alarm can be set on them.
 */
export function registerProbes(registry: Registry, probes: Probes): void {
  const { stores, ingestion, captureRefusal, deadLetters, failingExports, probeTimeoutMs = PROBE_TIMEOUT_MS } = probes
  new Gauge({
    name: "waymark_store_up",
    help: "1 when the store answers this process, 0 when it does not.",
    labelNames: ["store"],
    registers: [registry],
    async collect() {
      const states = Object.entries(stores).map(async ([store, probe]) =>
        this.set({ store }, (await isUp(probe, probeTimeoutMs)) ? 1 : 0),
      )
      await Promise.all(states)
    },
  })
  const progressGauge = (name: string, help: string, read: (progress: IngestionProgress) => number): void => {
    new Gauge({
      name: `waymark_ingestion_${name}`,
      help: `${help} Of all processes; NaN while PostgreSQL does not answer.`,
      registers: [registry],
      async collect() {
        const progress = await within(ingestion(), probeTimeoutMs).catch(() => null)
        this.set(progress === null ? Number.NaN : read(progress))
      },
    })
  }
  progressGauge("accepted_events", "Events acknowledged since the database was made.", ({ accepted }) => accepted)
  progressGauge(
    "stored_events",
    "Of these, events that queries can see or that were set aside.",
    ({ stored }) => stored,
  )
  progressGauge(
    "oldest_unstored_seconds",
    "Age of the oldest acknowledged event that is not stored yet; 0 when there is none.",
    ({ oldestUnstoredSeconds }) => oldestUnstoredSeconds,
  )
  progressGauge(
    "shards_without_owner",
    "Parts of the log that no process works on.",
    ({ shardsWithoutOwner }) => shardsWithoutOwner,
  )
  new Gauge({
    name: "waymark_dead_letters",
    help: "Events, or whole requests, that could not be stored and are kept, by reason. Of all processes.",
    labelNames: ["reason"],
    registers: [registry],
    async collect() {
      const counts = await within(deadLetters(), probeTimeoutMs).catch(() => null)
      if (counts === null) this.reset()
      else for (const [reason, count] of counts) this.set({ reason }, count)
    },
  })
  new Gauge({
    name: "waymark_scheduled_exports_failing",
    help: "Exports by schedule whose interval could not be written and is tried again. Of all processes; NaN while PostgreSQL does not answer.",
    registers: [registry],
    async collect() {
      this.set(await within(failingExports(), probeTimeoutMs).catch(() => Number.NaN))
    },
  })
  new Gauge({
    name: "waymark_capture_accepting",
    help: "1 while this process accepts events, 0 while it refuses them for want of room.",
    registers: [registry],
    collect() {
      this.set(captureRefusal() === null ? 1 : 0)
    },
  })
}
