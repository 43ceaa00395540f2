import { describe, expect, test } from "@jest/globals"
import { enrich } from "../../../../src/features/ingestion/enrich/index.js"
import { createLiveEvents } from "../../../../src/features/ingestion/index.js"
import { DEMAND_LASTS_MS } from "../../../../src/features/ingestion/live-events/live-event.types.js"
import { MAX_WAITING_EVENTS } from "../../../../src/features/ingestion/live-events/live-events.service.js"
import type { BatchSink } from "../../../../src/features/ingestion/rows/batch-sink.types.js"
import { toEventRow } from "../../../../src/features/ingestion/rows/event-row.js"
import { type EventRow, toRowBlocks } from "../../../../src/features/ingestion/rows/event-rows.js"
import { asPersonId, asProjectId } from "../../../../src/kernel/ids.js"
import type { JsonObject } from "../../../../src/kernel/json.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { createInProcessPubSub } from "../../../../src/platform/pubsub/in-process-pub-sub.js"
import { createManualClock } from "../../../support/manual-clock.js"

const PROJECT = asProjectId(7)
const NO_PERSONS = { livePersons: [], tombstones: [], distinctIds: [], overrides: [], groups: [] }
const EVERYTHING = { projectId: PROJECT, event: null, distinctId: null }

const row = (
  position: number,
  event: string,
  distinctId: string,
  projectId = 7,
  properties: JsonObject = {},
): EventRow => ({
  position,
  month: "2025-06",
  text: toEventRow(
    enrich(
      {
        projectId: asProjectId(projectId),
        uuid: `0198f7c0-0000-7000-8000-${String(position).padStart(12, "0")}`,
        event,
        distinctId,
        properties,
        timestamp: "2025-06-01T12:00:00.000Z",
        clientTimestamp: null,
        receivedAtMs: Date.parse("2025-06-01T12:00:01.000Z"),
        clientIp: "",
        historicalMigration: false,
      },
      null,
    ),
    {
      kept: true,
      properties,
      person: {
        id: asPersonId("0198f7c0-1111-7000-8000-000000000001"),
        createdAtMs: 0,
        propertiesJson: "{}",
        copiedJson: "{}",
      },
      personMode: "full",
      groupKeys: ["", "", "", "", ""],
      warnings: [],
    },
  ),
})

async function startLiveEvents(refusedPositions: readonly number[] = []) {
  const clock = createManualClock(0)
  const pubSub = createInProcessPubSub(silentLogger)
  const published: string[] = []
  const spied = {
    ...pubSub,
    publish: (channel: string, message: never) => {
      published.push(channel)
      return pubSub.publish(channel, message)
    },
  }
  const feature = createLiveEvents({ pubSub: spied as typeof pubSub, clock, logger: silentLogger })
  await feature.start()
  const stored: BatchSink = {
    write: async () => refusedPositions.map((position) => ({ position, reason: "no" })),
    writeSnapshots: async () => [],
  }
  const sink = feature.withLiveEvents(stored)
  const watch = async (filter: Parameters<typeof feature.service.watch>[0]) => {
    const stream = await feature.service.watch(filter)
    // The demand travels as a message.
    await new Promise((resolve) => setImmediate(resolve))
    return stream
  }
  let lastToken = 0
  const write = (events: readonly EventRow[], token = `batch/${lastToken++}`) =>
    sink.write(token, NO_PERSONS, toRowBlocks(events))
  const onStored = async (projectId: number, listener: () => void) => {
    const stop = await feature.service.onStored(asProjectId(projectId), listener)
    await new Promise((resolve) => setImmediate(resolve))
    return stop
  }
  return { clock, published, watch, write, onStored }
}

test("who only wants to know that events of a project were stored hears so, without the events", async () => {
  const { clock, published, write, onStored } = await startLiveEvents()
  const heard: string[] = []
  const stop = await onStored(7, () => heard.push("stored"))
  await write([row(0, "theirs", "x", 77)])
  await write([row(1, "ours", "x"), row(2, "ours", "x")])
  await new Promise((resolve) => setImmediate(resolve))
  expect(heard).toEqual(["stored"])
  await stop()
  clock.advance(DEMAND_LASTS_MS + 1)
  published.length = 0
  await write([row(3, "ours", "x")])
  expect(published).toEqual([])
})

describe("live events", () => {
  test("reach who watches the project, in order, and nobody who watches another one", async () => {
    const { watch, write } = await startLiveEvents()
    const mine = await watch(EVERYTHING)
    const others = await watch({ ...EVERYTHING, projectId: asProjectId(77) })
    await write([row(0, "a", "x", 7, { n: 1 }), row(1, "b", "y"), row(2, "c", "z", 77)])
    expect((await mine.next()).value).toEqual({
      uuid: "0198f7c0-0000-7000-8000-000000000000",
      event: "a",
      distinctId: "x",
      personId: "0198f7c0-1111-7000-8000-000000000001",
      timestamp: "2025-06-01T12:00:00.000Z",
      createdAt: "2025-06-01T12:00:01.000Z",
      properties: { n: 1 },
      missedBefore: 0,
    })
    expect((await mine.next()).value).toMatchObject({ event: "b" })
    expect((await others.next()).value).toMatchObject({ event: "c" })
  })

  test("are filtered by event and distinct id before they are sent", async () => {
    const { watch, write } = await startLiveEvents()
    const stream = await watch({ projectId: PROJECT, event: "bought", distinctId: "ada" })
    await write([row(0, "bought", "bo"), row(1, "seen", "ada"), row(2, "bought", "ada")])
    expect((await stream.next()).value).toMatchObject({ uuid: expect.stringMatching(/2$/), missedBefore: 0 })
  })

  test("do not show what the engine refused, nor a batch twice that was tried again", async () => {
    const { watch, write } = await startLiveEvents([0])
    const stream = await watch(EVERYTHING)
    await write([row(0, "refused", "x"), row(1, "kept", "x")], "again")
    await write([row(0, "refused", "x"), row(1, "kept", "x")], "again")
    await write([row(2, "next", "x")])
    expect((await stream.next()).value).toMatchObject({ event: "kept" })
    expect((await stream.next()).value).toMatchObject({ event: "next" })
  })

  test("of a slow reader lose the oldest, and say how many", async () => {
    const { watch, write } = await startLiveEvents()
    const stream = await watch(EVERYTHING)
    const total = MAX_WAITING_EVENTS + 30
    for (let position = 0; position < total; position += 10)
      await write(Array.from({ length: 10 }, (_, index) => row(position + index, "e", "x")))
    // One more round of messages has passed once this one is heard.
    const later = await watch({ ...EVERYTHING, event: "last" })
    await write([row(total, "last", "x")])
    await later.next()
    expect((await stream.next()).value).toMatchObject({
      uuid: expect.stringMatching(/0031$/),
      missedBefore: 31,
    })
    expect((await stream.next()).value).toMatchObject({ missedBefore: 0 })
  })

  test("of one huge insert are the newest ones, with the number of the others", async () => {
    const { watch, write } = await startLiveEvents()
    const stream = await watch(EVERYTHING)
    await write(Array.from({ length: 3000 }, (_, position) => row(position, "e", "x")))
    expect((await stream.next()).value).toMatchObject({ uuid: expect.stringMatching(/2800$/), missedBefore: 2800 })
  })

  test("leave large properties out", async () => {
    const { watch, write } = await startLiveEvents()
    const stream = await watch(EVERYTHING)
    await write([row(0, "e", "x", 7, { text: "x".repeat(5000) })])
    expect((await stream.next()).value).toMatchObject({ event: "e", properties: null })
  })

  test("cost nothing while nobody watches, and are no longer sent when demands run out", async () => {
    const { clock, published, watch, write } = await startLiveEvents()
    await write([row(0, "e", "x")])
    expect(published).toEqual([])
    const stream = await watch(EVERYTHING)
    await stream.return?.()
    clock.advance(DEMAND_LASTS_MS + 1)
    published.length = 0
    await write([row(1, "e", "x")])
    expect(published).toEqual([])
  })

  test("end at once for a reader who leaves while waiting", async () => {
    const { watch } = await startLiveEvents()
    const stream = await watch(EVERYTHING)
    const waiting = stream.next()
    await stream.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(await stream.next()).toEqual({ done: true, value: undefined })
  })
})
