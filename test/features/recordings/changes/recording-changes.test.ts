import { describe, expect, test } from "@jest/globals"
import { createActivityPublisher } from "../../../../src/features/recordings/changes/publish-activity.js"
import {
  type SessionActivity,
  toActivityChannel,
} from "../../../../src/features/recordings/changes/recording-change.types.js"
import {
  MAX_WAITING_CHANGES,
  RecordingChangesService,
} from "../../../../src/features/recordings/changes/recording-changes.service.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { createOutageLog } from "../../../../src/platform/logger/outage-log.js"
import { createInProcessPubSub } from "../../../../src/platform/pubsub/in-process-pub-sub.js"
import { createManualClock } from "../../../support/manual-clock.js"

const PROJECT = asProjectId(7)
const NOW_MS = Date.parse("2025-06-01T12:00:00.000Z")
const IDLE_MS = 5 * 60_000

function startChanges(ongoing: () => Promise<readonly SessionActivity[]> = async () => []) {
  const clock = createManualClock(NOW_MS)
  const pubSub = createInProcessPubSub(silentLogger)
  const expiring = new Set<() => void>()
  const service = new RecordingChangesService({
    pubSub,
    listOngoing: ongoing,
    now: () => clock.now(),
    every: (_, work) => {
      expiring.add(work)
      return () => expiring.delete(work)
    },
  })
  const publishActivity = createActivityPublisher(pubSub, createOutageLog(silentLogger, "warn", "away", "back"))
  return {
    clock,
    pubSub,
    service,
    expiring,
    /** Stores data of sessions, accepted just now unless said otherwise. */
    store: async (sessionIds: readonly string[], receivedAtMs = clock.now(), projectId: number = PROJECT) => {
      const inserted_at = new Date(receivedAtMs).toISOString().slice(0, -1).replace("T", " ")
      const row = (session_id: string) => ({ json: JSON.stringify({ project_id: projectId, session_id, inserted_at }) })
      publishActivity([
        { table: "session_snapshots", rows: [{ json: "not read" }] },
        { table: "session_replay_events", rows: sessionIds.map(row) },
      ])
      await turn()
    },
    passTime: (ms: number) => {
      clock.advance(ms)
      for (const work of expiring) work()
    },
  }
}

/** Lets a message of the pub/sub arrive. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe("changes of recordings", () => {
  test("tell that one starts with its first data, and ends when none came for five minutes", async () => {
    const { service, store, passTime } = startChanges()
    const changes = await service.watch(PROJECT)
    await store(["a"])
    const head = { projectId: PROJECT, sessionId: "a", missedBefore: 0 }
    expect((await changes.next()).value).toEqual({ ...head, kind: "started", atMs: NOW_MS })
    passTime(IDLE_MS)
    await store(["a"])
    passTime(IDLE_MS)
    await store(["b"])
    expect((await changes.next()).value).toMatchObject({ sessionId: "b", kind: "started" })
    passTime(1)
    expect((await changes.next()).value).toEqual({ ...head, kind: "ended", atMs: NOW_MS + 2 * IDLE_MS })
    await store(["a"])
    expect((await changes.next()).value).toMatchObject({ sessionId: "a", kind: "started" })
  })

  test("do not tell of what went on before, nor of data that came too late to be ongoing, nor of the same data twice", async () => {
    const { service, store } = startChanges(async () => [{ sessionId: "old", receivedAtMs: NOW_MS - 1000 }])
    const changes = await service.watch(PROJECT)
    await store(["old"])
    await store(["late"], NOW_MS - IDLE_MS - 1)
    await store(["new", "new"])
    await store(["new"])
    await store(["last"])
    expect((await changes.next()).value).toMatchObject({ sessionId: "new" })
    expect((await changes.next()).value).toMatchObject({ sessionId: "last" })
  })

  test("miss nothing that is stored while the present state is read", async () => {
    let answer: (ongoing: readonly SessionActivity[]) => void = () => undefined
    const { service, store } = startChanges(() => new Promise((resolve) => (answer = resolve)))
    const watching = service.watch(PROJECT)
    await turn()
    await store(["known", "unknown"])
    answer([{ sessionId: "known", receivedAtMs: NOW_MS }])
    expect((await (await watching).next()).value).toMatchObject({ sessionId: "unknown", kind: "started" })
  })

  test("reach everybody who follows the project, and nobody who follows another one", async () => {
    const { service, store } = startChanges()
    const [first, second, other] = [
      await service.watch(PROJECT),
      await service.watch(PROJECT),
      await service.watch(asProjectId(8)),
    ]
    await store(["a"])
    await store(["b"], NOW_MS, 8)
    expect((await first.next()).value).toMatchObject({ sessionId: "a" })
    expect((await second.next()).value).toMatchObject({ sessionId: "a" })
    expect((await other.next()).value).toMatchObject({ sessionId: "b", projectId: 8 })
  })

  test("are listened to while somebody follows, once for all of them", async () => {
    const { service, expiring, store } = startChanges()
    const [first, second] = [await service.watch(PROJECT), await service.watch(PROJECT)]
    expect(expiring.size).toBe(1)
    const pending = first.next()
    await first.return?.()
    expect((await pending).done).toBe(true)
    expect(expiring.size).toBe(1)
    await second.return?.()
    expect(expiring.size).toBe(0)
    const again = await service.watch(PROJECT)
    await store(["a"])
    expect((await again.next()).value).toMatchObject({ sessionId: "a" })
  })

  test("can be asked for again after the store could not be read", async () => {
    let isAway = true
    const { service, store } = startChanges(async () => {
      if (isAway) throw new Error("away")
      return []
    })
    await expect(service.watch(PROJECT)).rejects.toThrow("away")
    isAway = false
    const changes = await service.watch(PROJECT)
    await store(["a"])
    expect((await changes.next()).value).toMatchObject({ sessionId: "a" })
  })

  test("leave out the oldest for a slow reader and say how many", async () => {
    const { service, store } = startChanges()
    const changes = await service.watch(PROJECT)
    const sessionIds = Array.from({ length: MAX_WAITING_CHANGES + 3 }, (_, index) => `s${index}`)
    await store(sessionIds)
    expect((await changes.next()).value).toMatchObject({ sessionId: "s3", missedBefore: 3 })
    expect((await changes.next()).value).toMatchObject({ sessionId: "s4", missedBefore: 0 })
  })

  test("are published again after they could not be, with one line in the log", async () => {
    const warned: string[] = []
    let isAway = true
    const published: string[] = []
    const publish = async (channel: string): Promise<void> => {
      if (isAway) throw new Error("away")
      published.push(channel)
    }
    const logger = { ...silentLogger, warn: (text: string) => void warned.push(text) }
    const publishActivity = createActivityPublisher({ publish }, createOutageLog(logger, "warn", "away", "back"))
    const row = { json: JSON.stringify({ project_id: 7, session_id: "a", inserted_at: "2025-06-01 12:00:00.000" }) }
    const store = async (): Promise<void> => {
      publishActivity([{ table: "session_replay_events", rows: [row] }])
      await turn()
    }
    for (let batch = 0; batch < 3; batch++) await store()
    isAway = false
    await store()
    isAway = true
    await store()
    expect(published).toEqual([toActivityChannel(PROJECT)])
    expect(warned).toHaveLength(2)
  })

  test("pass over what is no activity", async () => {
    const { service, pubSub, store } = startChanges()
    const changes = await service.watch(PROJECT)
    for (const message of [null, {}, "x", [null], [{ sessionId: 5, receivedAtMs: NOW_MS }], [{ sessionId: "x" }]])
      await pubSub.publish(toActivityChannel(PROJECT), message)
    await store(["a"])
    expect((await changes.next()).value).toMatchObject({ sessionId: "a" })
  })
})
