import { Histogram, type Registry } from "prom-client"

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/**
 * Makes the recorder of REST answers: `waymark_http_request_duration_seconds` by route id and status. Route ids are the
 * rows of the table, so that no caller can add a label (`reference/reliability.md` F14).
 */
export function createRequestMetrics(registry: Registry) {
  const durations = new Histogram({
    name: "waymark_http_request_duration_seconds",
    help: "Time from the head of a request to its answer, by row of the route table and status.",
    labelNames: ["route", "status"],
    buckets: SECONDS,
    registers: [registry],
  })
  // Finding the series of two labels anew costs several times as much as counting in it.
  const series = new Map<string, Histogram.Internal<"route" | "status">>()
  return (routeId: string | null, _method: string, status: number, durationMs: number): void => {
    const key = `${status} ${routeId}`
    let known = series.get(key)
    if (known === undefined) {
      known = durations.labels({ route: routeId ?? "none", status: String(status) })
      series.set(key, known)
    }
    known.observe(durationMs / 1_000)
  }
}
