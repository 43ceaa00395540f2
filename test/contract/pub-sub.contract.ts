import { afterEach, describe, expect, test } from "@jest/globals"
import type { Json } from "../../src/kernel/json.js"
import type { PubSub } from "../../src/platform/pubsub/pub-sub.js"
import { waitFor } from "../support/wait-for.js"

/** What every PubSub must do. `create` opens a fresh one on the same bus each time. */
export function describePubSub(name: string, create: () => PubSub): void {
  describe(`PubSub: ${name}`, () => {
    const opened: PubSub[] = []
    const open = (): PubSub => {
      const pubSub = create()
      opened.push(pubSub)
      return pubSub
    }
    afterEach(async () => {
      for (const pubSub of opened.splice(0)) await pubSub.close()
    })

    test("hands a message to every listener of the channel and to no other", async () => {
      const pubSub = open()
      const first: Json[] = []
      const second: Json[] = []
      const other: Json[] = []
      await pubSub.subscribe("colours", (message) => first.push(message))
      await pubSub.subscribe("colours", (message) => second.push(message))
      await pubSub.subscribe("shapes", (message) => other.push(message))
      await publishUntilHeard(pubSub, "colours", { id: 7, name: "žlutá" }, first)
      await waitFor("the second listener", () => second.length > 0)
      expect(first[0]).toEqual({ id: 7, name: "žlutá" })
      expect(second[0]).toEqual({ id: 7, name: "žlutá" })
      expect(other).toEqual([])
    })

    test("keeps the order of messages on a channel", async () => {
      const pubSub = open()
      const heard: Json[] = []
      await pubSub.subscribe("order", (message) => heard.push(message))
      await publishUntilHeard(pubSub, "order", 0, heard)
      heard.length = 0
      for (let index = 1; index <= 50; index++) await pubSub.publish("order", index)
      await waitFor("all messages", () => heard.length >= 50)
      expect(heard).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
    })

    test("stops calling a listener that has unsubscribed, and only that one", async () => {
      const pubSub = open()
      const gone: Json[] = []
      const staying: Json[] = []
      const leave = await pubSub.subscribe("room", (message) => gone.push(message))
      await pubSub.subscribe("room", (message) => staying.push(message))
      await publishUntilHeard(pubSub, "room", "hello", gone)
      await leave()
      gone.length = 0
      await pubSub.publish("room", "anybody?")
      await waitFor("the listener who stays", () => staying.includes("anybody?"))
      expect(gone).toEqual([])
    })

    test("gives each listener its own copy of the message", async () => {
      const pubSub = open()
      const message = { list: [1] }
      const heard: Json[] = []
      await pubSub.subscribe("copies", (received) => {
        ;(received as { list: number[] }).list.push(2)
      })
      await pubSub.subscribe("copies", (received) => heard.push(received))
      await publishUntilHeard(pubSub, "copies", message, heard)
      expect(heard[0]).toEqual({ list: [1] })
      expect(message).toEqual({ list: [1] })
    })

    test("goes on calling the other listeners when one throws", async () => {
      const pubSub = open()
      const heard: Json[] = []
      await pubSub.subscribe("fragile", () => {
        throw new Error("listener fault")
      })
      await pubSub.subscribe("fragile", (message) => heard.push(message))
      await publishUntilHeard(pubSub, "fragile", "still here", heard)
      expect(heard[0]).toBe("still here")
    })

    test("refuses to publish once closed", async () => {
      const pubSub = create()
      await pubSub.close()
      await expect(pubSub.publish("late", 1)).rejects.toThrow()
    })
  })
}

/** A connection may still be opening, so the first message is repeated until it comes through. */
async function publishUntilHeard(
  pubSub: PubSub,
  channel: string,
  message: Json,
  heard: readonly Json[],
): Promise<void> {
  await waitFor(`a message on ${channel}`, async () => {
    if (heard.length === 0) await pubSub.publish(channel, message)
    return heard.length > 0
  })
}
