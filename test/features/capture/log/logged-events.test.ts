import { describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { createCaptureRoutes } from "../../../../src/features/capture/capture.routes.js"
import { CaptureService } from "../../../../src/features/capture/capture.service.js"
import type { IngestBatch } from "../../../../src/features/capture/index.js"
import { readLoggedText, toLoggedText } from "../../../../src/features/capture/log/logged-events.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import { askRoute } from "../../../support/ask-route.js"
import { InMemoryIngestLog } from "../../../support/in-memory-ingest-log.js"
import { NOW_MS } from "../cases/in-memory-driver.js"

const KEY = "phc_logged0000000000000000000000"

/** What capture hands to the log for a body; null when nothing was kept. */
async function logged(text: string): Promise<IngestBatch | null> {
  const ingestLog = new InMemoryIngestLog()
  let count = 0
  const routes = createCaptureRoutes(
    new CaptureService({
      findPlace: () => null,
      projectKeys: { find: () => ({ id: asProjectId(1) }) },
      ingestLog,
      warnings: { record: () => undefined },
      newUuid: () => `00000000-0000-7000-8000-${String(count++).padStart(12, "0")}`,
    }),
  )
  const request = { method: "POST", url: `/e/?token=${KEY}`, body: Buffer.from(text) }
  await askRoute(routes, request, { clientIp: "192.0.2.1", receivedAtMs: NOW_MS })
  return ingestLog.batches[0] ?? null
}

const batchOf = async (text: string): Promise<IngestBatch> => {
  const batch = await logged(text)
  if (batch === null) throw new Error("nothing was kept")
  return batch
}
const textOf = (batch: Pick<IngestBatch, "events" | "sent">): string => Buffer.concat(toLoggedText(batch)).toString()
const isWrittenAsSent = (batch: IngestBatch): boolean => !textOf(batch).startsWith("[")
/** What a reader of the log gets, and what it gets of the events written out one by one. */
const bothReadings = ({ sent, ...batch }: IngestBatch) => [
  readLoggedText(textOf({ ...batch, sent })),
  readLoggedText(textOf(batch)),
]

const EVENT = { event: "größe", distinct_id: "用户", properties: { literal: "\\u0000", list: [1, null, 1.5e300] } }
const TIME = "2026-11-21T11:00:00.000Z"

describe("what the log holds of a request", () => {
  test("reads as the same events, whichever way it is written", async () => {
    const oddItem = fc.record(
      {
        event: fc.constantFrom<unknown>("e", " e", "\u0000", 5),
        distinct_id: fc.constantFrom<unknown>("u", " u ", 7, null, "\ud800"),
        properties: fc.constantFrom<unknown>({}, { a: "\u0000" }, { distinct_id: "p" }, [], null, "text"),
        $set: fc.constantFrom<unknown>({ plan: "team" }, [], null),
        uuid: fc.constantFrom("0198F0A0-0000-7000-8000-00000000000A", "", "no uuid"),
        timestamp: fc.constantFrom<unknown>(TIME, "2026-11-21", "1800-01-01T00:00:00.000Z", 1_763_000_000, "never"),
        offset: fc.constantFrom(5_000, "5"),
      },
      { requiredKeys: [] },
    )
    const plainItem = fc.record({ timestamp: fc.constantFrom(TIME, "2026-11-21"), type: fc.constant("capture") })
    const item = (odd: fc.Arbitrary<object>) => odd.map((given) => ({ ...EVENT, ...given }))
    const items = fc.array(fc.oneof(item(plainItem), item(oddItem)), { minLength: 1, maxLength: 4 })
    const body = fc.oneof(
      items,
      items.map((batch) => ({ batch, api_key: KEY, sent_at: "2026-11-21T10:00:00Z" })),
      items.map((batch) => batch[0]),
    )
    const written = { asSent: 0, out: 0 }
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const batch = await logged(JSON.stringify(sent))
        if (batch === null) return
        const [asLogged, writtenOut] = bothReadings(batch)
        expect(asLogged).toEqual(writtenOut)
        written[isWrittenAsSent(batch) ? "asSent" : "out"]++
      }),
      { numRuns: 500 },
    )
    expect(written).toEqual({ asSent: expect.any(Number), out: expect.any(Number) })
    expect(Math.min(written.asSent, written.out)).toBeGreaterThan(0)
  })

  test("is the text that was sent, where nothing in its events was changed", async () => {
    const text = JSON.stringify({ api_key: KEY, batch: [{ ...EVENT, timestamp: TIME }, EVENT] })
    const written = textOf(await batchOf(text))
    const now = new Date(NOW_MS).toISOString()
    const uuids = ["00000000-0000-7000-8000-000000000000", "00000000-0000-7000-8000-000000000001"]
    expect(written).toBe(`{"sent":${text},"added":${JSON.stringify([uuids[0], [uuids[1], now, null]])}}`)
  })

  test.each([
    ["a dropped event", JSON.stringify([EVENT, { event: "e" }])],
    ["an event that was changed", JSON.stringify([EVENT, { ...EVENT, $set: { plan: "team" } }])],
    [
      "a number beyond all doubles, which JSON has no word for",
      `[${JSON.stringify(EVENT).replace("1.5e+300", "1e999")}]`,
    ],
    ["much white space", `[${JSON.stringify(EVENT)}${" ".repeat(1_100_000)}]`],
  ])("is its events one by one when it holds %s", async (_what, text) => {
    expect(isWrittenAsSent(await batchOf(text))).toBe(false)
  })

  test("is refused with a reason when it is neither", () => {
    for (const text of ["5", "null", "{}", '{"sent":[]}', '{"added":[]}', '{"sent":[{}],"added":[]}'])
      expect(() => readLoggedText(text)).toThrow(TypeError)
    expect(() => readLoggedText("[")).toThrow(SyntaxError)
  })
})
