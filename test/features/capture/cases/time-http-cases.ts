import { beforeAll, expect, test } from "@jest/globals"
import type { JsonObject } from "../../../../src/kernel/json.js"
import { CaseProject } from "../../../support/case-project.js"
import type { WaymarkApi } from "../../../support/waymark-api.js"
import { captureCases, type TimestampCase } from "./case-files.js"

const timestampCases = (): readonly TimestampCase[] =>
  captureCases().filter((one): one is TimestampCase => one.kind === "pipeline" && one.area === "timestamp")

/** Whether the case can be sent as it is written: its outcome does not depend on the time of arrival. */
const isTimeless = ({ given: { now, timestamp, sent_at: sentAt, offset_ms: offset } }: TimestampCase): boolean =>
  typeof timestamp === "string" &&
  sentAt === undefined &&
  offset === undefined &&
  !(Date.parse(timestamp) > Date.parse(now))

const shifted = (time: string, byMs: number): string => new Date(Date.parse(time) + byMs).toISOString()

interface Window {
  readonly fromMs: number
  readonly toMs: number
}

/**
 * Every timestamp case of capture.json against a server. The server's clock cannot be set, so cases that depend on the
 * time of arrival are moved to now, and their outcome lies between what it were before the request and after it.
 */
export function runTimestampCases(api: () => WaymarkApi): void {
  const stored = new Map<string, { readonly timestampMs: number; readonly expected: Window }>()

  beforeAll(async () => {
    const project = await CaseProject.create(api(), "times")
    const sent: { id: string; uuid: string; expected: Window }[] = []
    for (const one of timestampCases()) {
      const { now, timestamp, sent_at: sentAt, offset_ms: offset, ignore_sent_at: ignored } = one.given
      const uuid = crypto.randomUUID()
      const beforeMs = Date.now()
      const shiftMs = isTimeless(one) ? 0 : beforeMs - Date.parse(now)
      const written = typeof timestamp === "string" && shiftMs !== 0 ? shifted(timestamp, shiftMs) : timestamp
      const event: JsonObject = {
        event: "time",
        distinct_id: one.id,
        uuid,
        properties: ignored === undefined ? {} : { $ignore_sent_at: ignored },
        ...(written !== undefined && { timestamp: written }),
        ...(offset !== undefined && { offset }),
      }
      await project.send([event], sentAt === undefined ? {} : { sent_at: shifted(sentAt, shiftMs) })
      const expectedMs = Date.parse((one.recommended ?? one.expect).timestamp) + shiftMs
      const tookMs = shiftMs === 0 ? 0 : Date.now() - beforeMs
      sent.push({ id: one.id, uuid, expected: { fromMs: expectedMs, toMs: expectedMs + tookMs } })
    }
    await api().drained()
    for (const { id, uuid, expected } of sent) {
      const event = await project.eventOf(uuid)
      stored.set(id, { timestampMs: event?.timestampMs ?? Number.NaN, expected })
    }
  }, 60_000)

  test.each(timestampCases())("$id: $title", ({ id }) => {
    const outcome = stored.get(id)
    expect(outcome?.timestampMs).toBeGreaterThanOrEqual(outcome?.expected.fromMs as number)
    expect(outcome?.timestampMs).toBeLessThanOrEqual(outcome?.expected.toMs as number)
  })
}
