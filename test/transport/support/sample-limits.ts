import { RateBudget } from "../../../src/platform/limits/rate-budget.js"
import { createStreamPermits, type StreamLimits } from "../../../src/transport/stream-permits.js"

/** Permits for streams of the tests; as good as endless where nothing else is said. */
export const samplePermits = (limits: Partial<StreamLimits> = {}) =>
  createStreamPermits({ total: 1_000, perAddress: 1_000, perProject: 1_000, ...limits }, 0, () => undefined)

/** Refuses nobody. */
export const endlessRate = new RateBudget({
  perHolder: 0,
  holders: 1,
  clock: { now: () => 0 },
  onRefused: () => undefined,
})
