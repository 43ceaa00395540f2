import { setTracer } from "../kernel/trace.js"
import type { Logger } from "../platform/logger/logger.js"
import type { Environment } from "./environment.js"
import { VERSION } from "./version.js"

/**
 * Begins to trace when the environment names a collector; otherwise nothing of OpenTelemetry is even loaded. To be called
 * before stores are opened. What is recorded last leaves when `opened` is disposed of.
 */
export async function openTraces(
  { tracesEndpoint, traceSampler, traceRatio }: Environment,
  opened: AsyncDisposableStack,
  logger: Logger,
): Promise<void> {
  if (tracesEndpoint === null) return
  const [{ openTracer }, { createSampler }] = await Promise.all([
    import("../platform/traces/open-tracer.js"),
    import("../platform/traces/create-sampler.js"),
  ])
  const { tracer, close } = openTracer({ version: VERSION, sampler: createSampler(traceSampler, traceRatio), logger })
  setTracer(tracer)
  opened.defer(async () => {
    setTracer(null)
    await close()
  })
}
