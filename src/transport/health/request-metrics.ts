import { Histogram, type Registry } from "prom-client"

const NAME = "waymark_http_request_duration_seconds"
const HELP = "Time from the head of a request to its answer, by route and status."
const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

interface Series {
  readonly labels: { readonly route: string; readonly status: number }
  /** Observations by the first bound that holds them; the last place is for those that none holds. */
  readonly counts: number[]
  sumSeconds: number
}

/**
 * Makes the recorder of answers: `waymark_http_request_duration_seconds` by route and status. Routes are the rows of the
 * REST table and the parts of the web application, so that no caller can add a label (`docs/contract/faults.md#metric-labels`).
 */
export function createRequestMetrics(registry: Registry) {
  const durations = new RequestDurations(registry)
  return (routeId: string, status: number, durationMs: number): void =>
    durations.add(routeId, status, durationMs / 1_000)
}

/**
 * A histogram that counts by itself and hands its figures over when they are asked for: what prom-client does for each
 * observation takes 3 % of a decision.
 */
class RequestDurations extends Histogram {
  readonly #byRoute = new Map<string, Map<number, Series>>()

  constructor(registry: Registry) {
    super({
      name: NAME,
      help: HELP,
      buckets: BOUNDS_SECONDS,
      registers: [registry],
    })
  }

  add(route: string, status: number, seconds: number): void {
    const series = this.#byRoute.get(route)?.get(status) ?? this.#begin(route, status)
    const found = BOUNDS_SECONDS.findIndex((bound) => seconds <= bound)
    const place = found < 0 ? BOUNDS_SECONDS.length : found
    series.counts[place] = (series.counts[place] ?? 0) + 1
    series.sumSeconds += seconds
  }

  /** What the registry and `get` ask for, in the place of prom-client's own. */
  async getForPromString() {
    const all = [...this.#byRoute.values()].flatMap((byStatus) => [...byStatus.values()])
    return { name: NAME, help: HELP, type: "histogram", aggregator: "sum", values: all.flatMap(toValues) }
  }

  #begin(route: string, status: number): Series {
    const series = { labels: { route, status }, counts: BOUNDS_SECONDS.map(() => 0).concat(0), sumSeconds: 0 }
    const byStatus = this.#byRoute.get(route) ?? new Map<number, Series>()
    this.#byRoute.set(route, byStatus.set(status, series))
    return series
  }
}

function toValues({ labels: sharedLabels, counts, sumSeconds }: Series) {
  let total = 0
  const buckets = counts.map((count, place) => {
    total += count
    return { metricName: `${NAME}_bucket`, labels: { le: BOUNDS_SECONDS[place] ?? "+Inf" }, sharedLabels, value: total }
  })
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels: {}, sharedLabels, value: sumSeconds },
    { metricName: `${NAME}_count`, labels: {}, sharedLabels, value: total },
  ]
}
