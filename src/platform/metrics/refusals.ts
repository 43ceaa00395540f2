import { Counter, type Registry } from "prom-client"

/** Why requests are refused to protect others; label values, so that their number is bounded. */
const REFUSAL_REASONS = [
  "body_memory",
  "connections",
  "streams",
  "keyless_requests",
  "wrong_keys",
  "wrong_project_keys",
  "introspection",
  "exports",
  "byte_quota",
] as const
export type RefusalReason = (typeof REFUSAL_REASONS)[number]

/** Counts a refusal. */
export type CountRefusal = (reason: RefusalReason) => void

/** Registers `waymark_refused_total{reason}`: what was refused because somebody asked for more than their share. */
export function createRefusalCounter(registry: Registry): CountRefusal {
  const counter = new Counter({
    name: "waymark_refused_total",
    help: "Requests and connections that were refused because a limit was reached, by reason.",
    labelNames: ["reason"],
    registers: [registry],
  })
  // A series that begins with the first refusal would hide that one from whoever looks at increases.
  for (const reason of REFUSAL_REASONS) counter.inc({ reason }, 0)
  return (reason) => counter.inc({ reason })
}
