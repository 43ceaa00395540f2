import { describe, expect, test } from "@jest/globals"
import { createPendingChanges } from "../../../../src/features/flags/read-your-writes/pending-changes.js"
import { createSharedChanges } from "../../../../src/features/flags/read-your-writes/shared-changes.store.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { JsonObject } from "../../../../src/kernel/json.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import type { PubSub } from "../../../../src/platform/pubsub/pub-sub.js"

const PROJECT = asProjectId(1)

/** Delivers at once and keeps what was said. */
function createWire() {
  const listeners = new Set<(message: never) => void>()
  const messages: string[] = []
  let isDown = false
  const pubSub: PubSub = {
    publish: async (_channel, message) => {
      if (isDown) throw new Error("Redis is away")
      messages.push(JSON.stringify(message))
      for (const listener of listeners) listener(JSON.parse(JSON.stringify(message)) as never)
    },
    subscribe: async (_channel, listener) => {
      listeners.add(listener)
      return async () => void listeners.delete(listener)
    },
    close: async () => undefined,
  }
  return { pubSub, messages, goDown: () => (isDown = true) }
}

async function startTwo() {
  const wire = createWire()
  const processes = ["one", "other"].map((processId) => {
    const pending = createPendingChanges()
    return { pending, shared: createSharedChanges({ pending, pubSub: wire.pubSub, processId, logger: silentLogger }) }
  })
  for (const { shared } of processes) await shared.start()
  const [one, other] = processes as [(typeof processes)[number], (typeof processes)[number]]
  return { ...wire, one, other }
}

const request = (...sets: JsonObject[]) => ({
  projectId: PROJECT,
  receivedAtMs: 0,
  historicalMigration: false,
  events: sets.map((properties, at) => ({
    uuid: `${at}`,
    event: "seen",
    distinctId: "u",
    properties,
    timestamp: "2026-03-01T12:00:00.000Z",
  })),
})

describe("changes that were acknowledged in one process", () => {
  test("are known to the other, and counted once in their own", async () => {
    const { one, other } = await startTwo()
    one.shared.record(request({ $set: { plan: "team" } }), "7")
    for (const { pending } of [one, other])
      expect(pending.eventsOf(PROJECT, ["u"])).toMatchObject([
        { rowId: "7", event: { properties: { $set: { plan: "team" } } } },
      ])
  })

  test("are told without the events that change nothing, and not at all when there are no others", async () => {
    const { one, messages } = await startTwo()
    one.shared.record(request({ page: "/" }, { $set: { plan: "team" } }), "7")
    one.shared.record(request({ page: "/" }), "8")
    expect(messages).toHaveLength(1)
    expect(messages[0]).not.toContain("page")
  })

  test("are told without whatever else capture knows of their request", async () => {
    const { one, other, messages } = await startTwo()
    const batch = {
      ...request({ page: "/" }, { $set: { plan: "team" } }),
      clientIp: "203.0.113.7",
      sent: { bytes: Buffer.from("the whole text"), json: { page: "/" } },
    }
    one.shared.record(batch, "7")
    const fields = Object.keys(JSON.parse(messages[0] ?? "{}").request)
    expect(fields.sort()).toEqual(["events", "historicalMigration", "projectId", "receivedAtMs"])
    expect(other.pending.rowIds()).toEqual(["7"])
  })

  test("stay in their own process when they are large or the wire is down", async () => {
    const { one, other, goDown } = await startTwo()
    one.shared.record(request({ $set: { text: "x".repeat(20_000) } }), "7")
    goDown()
    one.shared.record(request({ $set: { plan: "team" } }), "8")
    expect([one.pending.rowIds(), other.pending.rowIds()]).toEqual([["7", "8"], []])
  })

  test("are not heard after the end", async () => {
    const { one, other } = await startTwo()
    await other.shared.stop()
    one.shared.record(request({ $set: { plan: "team" } }), "7")
    expect(other.pending.rowIds()).toEqual([])
  })
})
