import type { Registry } from "prom-client"
import type { ProjectId } from "../kernel/ids.js"
import { systemClock } from "../platform/clock/system-clock.js"
import { ByteBudget } from "../platform/limits/byte-budget.js"
import { Permits } from "../platform/limits/permits.js"
import { RateBudget } from "../platform/limits/rate-budget.js"
import { createRefusalCounter, type RefusalReason } from "../platform/metrics/refusals.js"
import type { HttpLimits } from "../transport/http-server.js"
import { createStreamPermits } from "../transport/stream-permits.js"
import type { Environment } from "./environment.js"

/** A body of 64 KiB with what parsing makes of it, and how much such bodies may take together, in bytes. */
const SMALL_BODIES = { smallBytes: 192 * 1024, reserveBytes: 64 * 1024 * 1024 }

/** Fewer than connections, so that streams leave most of them to requests. */
const MAX_STREAMS = 10_000

/** Each holds up to 20 MB of persons until its answer has left. */
const MAX_EXPORTS = 4

/** All addresses together may ask as often as ten that are at their limit. */
const ADDRESSES_AT_THE_LIMIT = 10
/** Texts of introspection from one address in a minute that were not asked for lately; each takes up to 150 ms. */
const NEW_INTROSPECTIONS_PER_MINUTE = 20
const ADDRESSES_WITH_NEW_INTROSPECTIONS = 3
/** Look-ups of project keys are read many at once, so far more of them are bearable than of personal keys. */
const ADDRESSES_WITH_WRONG_PROJECT_KEYS = 1_000
/** The schema takes as long to send as some other requests to answer, so of the keyless ones it is one in so many. */
const REQUESTS_OF_AN_INTROSPECTION = 10

export type Limits = ReturnType<typeof createLimits>

/** Makes what bounds callers at the edge of this process. What is refused is counted in `waymark_refused_total`. */
export function createLimits(environment: Environment, metrics: Registry) {
  const { trustProxyHops, streamsPerAddress, streamsPerProject } = environment
  const count = createRefusalCounter(metrics)
  const perMinute = (perHolder: number, reason: RefusalReason, holders = ADDRESSES_AT_THE_LIMIT) =>
    new RateBudget({ perHolder, holders, clock: systemClock, onRefused: () => count(reason) })
  const keylessIntrospections = Math.ceil(environment.keylessRequestsPerMinute / REQUESTS_OF_AN_INTROSPECTION)
  const streams = { total: MAX_STREAMS, perAddress: streamsPerAddress, perProject: streamsPerProject }
  return {
    bodyMemory: new ByteBudget({
      ...SMALL_BODIES,
      totalBytes: environment.bodyMemoryBytes,
      onRefused: () => count("body_memory"),
    }),
    permits: createStreamPermits(streams, trustProxyHops, () => count("streams")),
    keyless: perMinute(environment.keylessRequestsPerMinute, "keyless_requests"),
    wrongKeys: perMinute(environment.wrongKeysPerMinute, "wrong_keys"),
    wrongProjectKeys: perMinute(
      environment.wrongKeysPerMinute,
      "wrong_project_keys",
      ADDRESSES_WITH_WRONG_PROJECT_KEYS,
    ),
    projectBytes: new RateBudget<ProjectId>({
      perHolder: environment.projectBytesPerMinute,
      holders: Number.POSITIVE_INFINITY,
      clock: systemClock,
      onRefused: () => count("byte_quota"),
    }),
    introspection: {
      newTexts: perMinute(NEW_INTROSPECTIONS_PER_MINUTE, "introspection", ADDRESSES_WITH_NEW_INTROSPECTIONS),
      keyless: perMinute(keylessIntrospections, "introspection"),
    },
    exports: new Permits({
      what: "exports",
      total: MAX_EXPORTS,
      perHolder: 1,
      holder: "key",
      onRefused: () => count("exports"),
    }),
    http: toHttpLimits(environment),
    onConnectionRefused: () => count("connections"),
  }
}

/**
 * Behind proxies, connections are theirs: there are as many from one address as the proxy makes, and it must be the one to close
 * an idle connection. Most close theirs after 60 seconds.
 */
const toHttpLimits = ({ trustProxyHops, connectionsPerAddress }: Environment): Partial<HttpLimits> =>
  trustProxyHops === 0
    ? { maxConnectionsPerAddress: connectionsPerAddress }
    : { maxConnectionsPerAddress: Number.POSITIVE_INFINITY, keepAliveTimeoutMs: 65_000 }
