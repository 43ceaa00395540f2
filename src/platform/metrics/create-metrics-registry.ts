import { collectDefaultMetrics, Registry } from "prom-client"

/**
 * Makes the registry behind `/metrics`, with the process's own figures (memory, CPU, event loop) in it. Whoever adds a
 * metric takes its label values from a closed list, never from a request (`docs/contract/faults.md#metric-labels`).
 */
export function createMetricsRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}
