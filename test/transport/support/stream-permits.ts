import { createStreamPermits, type StreamLimits } from "../../../src/transport/stream-permits.js"

/** Permits for streams of the tests; as good as endless where nothing else is said. */
export const samplePermits = (limits: Partial<StreamLimits> = {}) =>
  createStreamPermits({ total: 1_000, perAddress: 1_000, perProject: 1_000, ...limits }, 0, () => undefined)
