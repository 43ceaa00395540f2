import { describe, expect, test } from "@jest/globals"
import { readChangeCursor } from "../../../../src/features/recordings/changes/change-cursor.graphql.js"
import type {
  SessionActivity,
  StoredBlock,
} from "../../../../src/features/recordings/changes/recording-change.types.js"
import {
  MAX_WAITING_CHANGES,
  RecordingChangesService,
} from "../../../../src/features/recordings/changes/recording-changes.service.js"
import { asProjectId, type ProjectId } from "../../../../src/kernel/ids.js"
import { isBeyond, type Place, toBatchEnd } from "../../../../src/kernel/place.js"
import { createManualClock } from "../../../support/manual-clock.js"

const PROJECT = asProjectId(7)
const NOW_MS = Date.parse("2025-06-01T12:00:00.000Z")
const IDLE_MS = 5 * 60_000

/** Blocks in memory, and as many processes as a test likes. */
function createBlocks() {
  const clock = createManualClock(NOW_MS)
  const stored: (StoredBlock & { readonly projectId: ProjectId })[] = []
  const listeners = new Set<{ readonly projectId: ProjectId; readonly listener: () => void }>()
  const expiring = new Set<() => void>()
  let [batch, isAway, mostRead] = [0, false, 1000]
  const within = (projectId: ProjectId, upTo: Place) =>
    stored.filter((block) => block.projectId === projectId && !isBeyond(block.place, upTo))
  const startProcess = () =>
    new RecordingChangesService({
      blocks: {
        read: async (projectId, after, upTo) => {
          const found = within(projectId, upTo).filter(({ place }) => isBeyond(place, after))
          return { items: found.slice(-mostRead), missed: Math.max(0, found.length - mostRead) }
        },
        listOngoing: async (projectId, upTo, sinceMs) => {
          if (isAway) throw new Error("away")
          const bySession = Map.groupBy(within(projectId, upTo), ({ sessionId }) => sessionId)
          return [...bySession]
            .map(([sessionId, blocks]): SessionActivity => {
              return { sessionId, receivedAtMs: Math.max(...blocks.map(({ receivedAtMs }) => receivedAtMs)) }
            })
            .filter(({ receivedAtMs }) => receivedAtMs >= sinceMs)
        },
      },
      findLast: async () => toBatchEnd(batch),
      onStored: async (projectId, listener) => {
        const entry = { projectId, listener }
        listeners.add(entry)
        return async () => void listeners.delete(entry)
      },
      now: () => clock.now(),
      every: (everyMs, work) => {
        if (everyMs === 1000) expiring.add(work)
        return () => expiring.delete(work)
      },
      onFailure: (failure) => {
        throw failure
      },
    })
  return {
    clock,
    expiring,
    startProcess,
    readAtMost: (blocks: number) => {
      mostRead = blocks
    },
    setAway: (away: boolean) => {
      isAway = away
    },
    /** Stores data of sessions in one batch, accepted just now unless said otherwise. */
    store: async (sessionIds: readonly string[], receivedAtMs = clock.now(), projectId: number = PROJECT) => {
      batch += 1
      for (const [position, sessionId] of sessionIds.entries())
        stored.push({ sessionId, receivedAtMs, projectId: asProjectId(projectId), place: [batch, position] })
      for (const { projectId: watched, listener } of listeners) if (watched === projectId) listener()
      await turn()
    },
    passTime: (ms: number) => {
      clock.advance(ms)
      for (const work of expiring) work()
    },
  }
}

function startChanges() {
  const blocks = createBlocks()
  return { ...blocks, service: blocks.startProcess() }
}

/** Lets what has been stored be read. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe("changes of recordings", () => {
  test("tell that one starts with its first data, and ends when none came for five minutes", async () => {
    const { service, store, passTime } = startChanges()
    const changes = await service.watch(PROJECT, null)
    await store(["a"])
    const head = { projectId: PROJECT, sessionId: "a", missedBefore: 0, cursor: expect.any(String) }
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
    const { service, store } = startChanges()
    await store(["old"], NOW_MS - 1000)
    const changes = await service.watch(PROJECT, null)
    await store(["old"])
    await store(["late"], NOW_MS - IDLE_MS - 1)
    await store(["new", "new"])
    await store(["new"])
    await store(["last"])
    expect((await changes.next()).value).toMatchObject({ sessionId: "new" })
    expect((await changes.next()).value).toMatchObject({ sessionId: "last" })
  })

  test("reach everybody who follows the project, and nobody who follows another one", async () => {
    const { service, store } = startChanges()
    const [first, second, other] = [
      await service.watch(PROJECT, null),
      await service.watch(PROJECT, null),
      await service.watch(asProjectId(8), null),
    ]
    await store(["a"])
    await store(["b"], NOW_MS, 8)
    expect((await first.next()).value).toMatchObject({ sessionId: "a" })
    expect((await second.next()).value).toMatchObject({ sessionId: "a" })
    expect((await other.next()).value).toMatchObject({ sessionId: "b", projectId: 8 })
  })

  test("are listened to while somebody follows, once for all of them", async () => {
    const { service, expiring, store } = startChanges()
    const [first, second] = [await service.watch(PROJECT, null), await service.watch(PROJECT, null)]
    expect(expiring.size).toBe(1)
    const pending = first.next()
    await first.return?.()
    expect((await pending).done).toBe(true)
    expect(expiring.size).toBe(1)
    await second.return?.()
    expect(expiring.size).toBe(0)
    const again = await service.watch(PROJECT, null)
    await store(["a"])
    expect((await again.next()).value).toMatchObject({ sessionId: "a" })
  })

  test("can be asked for again after the store could not be read", async () => {
    const { service, store, setAway } = startChanges()
    setAway(true)
    await expect(service.watch(PROJECT, null)).rejects.toThrow("away")
    setAway(false)
    const changes = await service.watch(PROJECT, null)
    await store(["a"])
    expect((await changes.next()).value).toMatchObject({ sessionId: "a" })
  })

  test("leave out the oldest for a slow reader and say how many", async () => {
    const { service, store } = startChanges()
    const changes = await service.watch(PROJECT, null)
    const sessionIds = Array.from({ length: MAX_WAITING_CHANGES + 3 }, (_, index) => `s${index}`)
    await store(sessionIds)
    expect((await changes.next()).value).toMatchObject({ sessionId: "s3", missedBefore: 3 })
    expect((await changes.next()).value).toMatchObject({ sessionId: "s4", missedBefore: 0 })
  })

  test("go on behind a cursor on another process, each start and each end once", async () => {
    const { store, passTime, startProcess } = createBlocks()
    const here = await startProcess().watch(PROJECT, null)
    await store(["a", "b"])
    const first = (await here.next()).value
    expect(first).toMatchObject({ sessionId: "a", kind: "started" })
    passTime(IDLE_MS / 2)
    await store(["b", "c"])
    passTime(IDLE_MS / 2 + 1)
    await store(["a"])
    passTime(IDLE_MS / 2)
    const reported: { sessionId: string; kind: string; cursor: string }[] = [first]
    while (reported.length < 7) reported.push((await here.next()).value)
    const show = (changes: typeof reported) => changes.map(({ sessionId, kind }) => `${sessionId} ${kind}`)
    const whole = ["a started", "b started", "c started", "a ended", "a started", "b ended", "c ended"]
    expect(show(reported)).toEqual(whole)
    for (const [index, { cursor }] of reported.entries()) {
      const since = readChangeCursor(PROJECT, cursor)
      const there = await startProcess().watch(PROJECT, since)
      const rest: typeof reported = []
      while (rest.length < whole.length - index - 1) rest.push((await there.next()).value)
      expect(show(rest)).toEqual(whole.slice(index + 1))
      await there.return?.()
    }
  })

  test("say at least how many were left out where there are too many to read again", async () => {
    const { store, startProcess, readAtMost } = createBlocks()
    await store(["a", "b", "c", "d"])
    readAtMost(2)
    const service = startProcess()
    const changes = await service.watch(PROJECT, { place: [0, 0], endedMs: NOW_MS - 1, endedSession: "" })
    expect((await changes.next()).value).toMatchObject({ sessionId: "c", kind: "started", missedBefore: 2 })
    await expect(service.watch(PROJECT, { place: [9, 0], endedMs: 0, endedSession: "" })).rejects.toThrow("since")
  })

  test("refuse a cursor of another project and what is none", () => {
    expect(() => readChangeCursor(PROJECT, "x")).toThrow("since is not a cursor")
    expect(readChangeCursor(PROJECT, null)).toBeNull()
  })
})
