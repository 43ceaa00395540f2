import autocannon from "autocannon"

export interface LoadResult {
  readonly requestsPerSecond: number
  /** Answers in the measured time, the warm-up left out. */
  readonly requests: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers outside 2xx, connection errors and timeouts together. */
  readonly failures: number
}

export interface Load {
  readonly url: string
  /** Body of each request; a function is asked anew for every one. */
  readonly body: () => string
  readonly headers?: Readonly<Record<string, string>>
  readonly connections?: number
  readonly seconds?: number
  /** 0 where the server is warm already. */
  readonly warmUpSeconds?: number
  /** Called between the warm-up and the measured time. */
  readonly onWarm?: () => void
}

/** The compiler is at work for the first fifty thousand requests or so; that is not what is measured. */
const WARM_UP_SECONDS = 8

/** Warms up, then measures POSTs of JSON bodies for a fixed time. Bounded; stops by itself. */
export async function measure(load: Load): Promise<LoadResult> {
  const { connections = 64, seconds = 6, warmUpSeconds = WARM_UP_SECONDS, onWarm } = load
  if (warmUpSeconds > 0) await run(load, connections, warmUpSeconds)
  onWarm?.()
  const result = await run(load, connections, seconds)
  return {
    requestsPerSecond: result.requests.average,
    requests: result.requests.total,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors + result.timeouts,
  }
}

const run = ({ url, body, headers }: Load, connections: number, duration: number): Promise<autocannon.Result> =>
  autocannon({
    url,
    connections,
    duration,
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    requests: [{ setupRequest: (request) => ({ ...request, body: body() }) }],
  })
