import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { AcceptedEvent, IngestBatch, IngestLog } from "../../src/features/capture/index.js"
import { asProjectId } from "../../src/kernel/ids.js"

export interface IngestLogUnderTest {
  readonly log: IngestLog
  /** Every batch of a project that is in the log, oldest first; a large one may come as several, one behind the other. */
  read(projectId: number): Promise<readonly IngestBatch[]>
  close(): Promise<void>
}

/** An event with data that is awkward to store. */
const awkwardEvent = (uuid: string): AcceptedEvent => ({
  uuid,
  event: "größe 'geändert' \\ \"{}\"",
  distinctId: "用户 😀",
  properties: { literal: "\\u0000", quoted: "a,b{}\"\\'", nested: { list: [1, null, true, ""] }, infinite: 1.5e300 },
  timestamp: "2026-11-21T12:00:00.000Z",
  clientTimestamp: null,
})

export const batchOf = (projectId: number, ...uuids: readonly string[]): IngestBatch => ({
  projectId: asProjectId(projectId),
  receivedAtMs: Date.UTC(2026, 10, 21, 12, 0, 0, 123),
  clientIp: "2001:db8::1",
  historicalMigration: false,
  events: uuids.map(awkwardEvent),
})

/** What every ingest log does. Each test uses a project of its own. */
export function describeIngestLog(name: string, create: () => Promise<IngestLogUnderTest>): void {
  describe(`${name} as an ingest log`, () => {
    let subject: IngestLogUnderTest

    beforeAll(async () => {
      subject = await create()
    })
    afterAll(() => subject.close())

    test("gives back an appended batch as it was", async () => {
      const batch = { ...batchOf(101, "a", "b"), historicalMigration: true }
      await subject.log.append(batch)
      expect(await subject.read(101)).toEqual([batch])
    })

    test("keeps the order of one caller that waits for each batch", async () => {
      const sent = Array.from({ length: 20 }, (_, index) => `ordered-${index}`)
      for (const uuid of sent) await subject.log.append(batchOf(102, uuid))
      expect((await subject.read(102)).map(({ events }) => events[0]?.uuid)).toEqual(sent)
    })

    test("takes many batches of many projects at one time", async () => {
      const uuids = Array.from({ length: 300 }, (_, index) => `together-${index}`)
      await Promise.all(uuids.map((uuid, index) => subject.log.append(batchOf(103 + (index % 3), uuid))))
      const stored = (await Promise.all([103, 104, 105].map((projectId) => subject.read(projectId)))).flat()
      expect(new Set(stored.map(({ events }) => events[0]?.uuid))).toEqual(new Set(uuids))
    })

    test("takes a batch of several megabytes", async () => {
      const large = batchOf(106, ...Array.from({ length: 20_000 }, (_, index) => `large-${index}`))
      await subject.log.append(large)
      expect((await subject.read(106))[0]?.events.map(({ uuid }) => uuid)).toEqual(large.events.map(({ uuid }) => uuid))
    })

    test("gives back a large batch, which is written in turns, as it was", async () => {
      const large = batchOf(108, ...Array.from({ length: 3_000 }, (_, index) => `large-${index}`))
      await subject.log.append({ ...large, isLarge: true })
      expect((await subject.read(108)).flatMap(({ events }) => events)).toEqual(large.events)
    })

    test("takes times before 1970 and before 2000", async () => {
      for (const receivedAtMs of [-1, Date.UTC(1999, 11, 31)])
        await subject.log.append({ ...batchOf(107, "t"), receivedAtMs })
      expect((await subject.read(107)).map(({ receivedAtMs }) => receivedAtMs)).toEqual([-1, Date.UTC(1999, 11, 31)])
    })
  })
}
