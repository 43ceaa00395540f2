import { afterEach, beforeEach, describe, expect, test } from "@jest/globals"
import { beginTrace, continueTraces, currentTrace, inSpan, setTracer } from "../../../src/kernel/trace.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { createSampler } from "../../../src/platform/traces/create-sampler.js"
import { openTracer } from "../../../src/platform/traces/open-tracer.js"
import { startTraceCollector } from "../../support/trace-collector.js"

const [ONE, OTHER] = ["1", "2"].map((digit) => digit.repeat(32)) as [string, string]
const CALLER = "c".repeat(16)
const headers = (traceId: string, flags = "01") => ({ traceparent: `00-${traceId}-${CALLER}-${flags}` })

let collector: Awaited<ReturnType<typeof startTraceCollector>>
let tracing: ReturnType<typeof openTracer>
beforeEach(async () => {
  collector = await startTraceCollector()
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url
  const sampler = createSampler("parentbased_always_off", 1)
  tracing = openTracer({ version: "1", sampler, logger: silentLogger })
  setTracer(tracing.tracer)
})
afterEach(async () => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT
  await collector.stop()
})

/** Ends tracing; everything that was recorded has left by then. */
async function finish(): Promise<void> {
  setTracer(null)
  await tracing.close()
}
const namesOf = (traceId: string) => collector.spansOf(traceId).map(({ name }) => name)
const placeIn = (traceId: string) => beginTrace({ name: "request" }, headers(traceId), currentTrace)

describe("work that was handed over", () => {
  test("goes on in the trace of the first that is traced, with links to the others", async () => {
    const [first, second] = [placeIn(ONE), placeIn(OTHER)]
    await continueTraces([{}, { trace: first }, { trace: second }], { name: "together" }, async () => {
      inSpan({ name: "part" }, () => undefined)
    })
    await finish()
    expect(namesOf(ONE).sort()).toEqual(["part", "request", "together"])
    expect(namesOf(OTHER)).toEqual(["request"])
    const together = collector.spansOf(ONE).find(({ name }) => name === "together")
    const [linked] = collector.spansOf(OTHER)
    expect(together?.links).toEqual([expect.objectContaining({ traceId: OTHER, spanId: linked?.spanId })])
  })

  test("is outside of the trace in which it happens to be done, when nothing of it is traced", async () => {
    beginTrace({ name: "request" }, headers(ONE), () =>
      continueTraces([{ trace: null }], { name: "together" }, () => inSpan({ name: "part" }, () => undefined)),
    )
    await finish()
    expect(namesOf(ONE)).toEqual(["request"])
  })
})

describe("a span", () => {
  test("of work that goes on after its request was answered is not made", async () => {
    let goOn = (): void => undefined
    const later = beginTrace({ name: "request" }, headers(ONE), () => ({
      done: new Promise<void>((resolve) => (goOn = resolve)).then(() => inSpan({ name: "late" }, currentTrace)),
    }))
    goOn()
    expect(await later.done).toBe(null)
    await finish()
    expect(namesOf(ONE)).toEqual(["request"])
  })

  test("of work that fails has the kind of the fault and not its message, and the fault passes", async () => {
    const work = beginTrace({ name: "request" }, headers(ONE), async () => {
      throw Object.assign(new Error("the value was private words"), { code: "22P02" })
    })
    await expect(work).rejects.toThrow("private words")
    await finish()
    const [failed] = collector.spansOf(ONE)
    expect(failed?.status.code).toBe(2)
    expect(failed?.attributes).toContainEqual({ key: "error.type", value: { stringValue: "22P02" } })
    expect(collector.read()).not.toContain("private words")
  })

  test("is recorded as the caller has decided, and for who has no caller as the sampler does", async () => {
    const place = beginTrace({ name: "unwanted" }, headers(ONE, "00"), currentTrace)
    const alone = beginTrace({ name: "alone" }, {}, currentTrace)
    beginTrace({ name: "wanted" }, headers(OTHER), () => undefined)
    await finish()
    expect([place, alone]).toEqual([null, null])
    expect(namesOf(OTHER)).toEqual(["wanted"])
    expect(collector.read()).not.toMatch(/unwanted|alone/)
  })
})
