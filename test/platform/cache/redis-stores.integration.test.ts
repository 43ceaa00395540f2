import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Json } from "../../../src/kernel/json.js"
import { createRedisKeyValueCache } from "../../../src/platform/cache/redis-key-value-cache.js"
import { createRedisCounters } from "../../../src/platform/counters/redis-counters.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { createRedisPubSub } from "../../../src/platform/pubsub/redis-pub-sub.js"
import { openRedis, type RedisConnection } from "../../../src/platform/redis/redis-connection.js"
import { describeCounters } from "../../contract/counters.contract.js"
import { describeKeyValueCache } from "../../contract/key-value-cache.contract.js"
import { describePubSub } from "../../contract/pub-sub.contract.js"
import { waitFor } from "../../support/wait-for.js"
import { createPrivateRedis, hasRedisServer, type PrivateRedis } from "../redis-server.js"

if (hasRedisServer()) describe("Redis stores", describeRedisStores)
else test("are not tested here, because there is no redis-server", () => undefined)

function describeRedisStores(): void {
  let server: PrivateRedis
  let connection: RedisConnection
  beforeAll(async () => {
    server = await createPrivateRedis()
    await server.start()
    connection = openRedis({ url: server.url, logger: silentLogger })
    await untilReady()
  })
  afterAll(async () => {
    await connection.close()
    await server.dispose()
  })
  const untilReady = () =>
    waitFor("Redis to answer", async () => {
      await connection.ping()
      return true
    })

  describePubSub("Redis", () => createRedisPubSub(connection, silentLogger))
  describeKeyValueCache("Redis", async () => ({
    cache: createRedisKeyValueCache(connection),
    letPass: (ms) => pause(ms),
  }))
  describeCounters("Redis", async () => ({
    counters: createRedisCounters(connection),
    letPass: (ms) => pause(ms),
  }))

  describe("when Redis goes away", () => {
    test("a message reaches the listeners of another process", async () => {
      const other = openRedis({ url: server.url, logger: silentLogger })
      const here = createRedisPubSub(connection, silentLogger)
      const there = createRedisPubSub(other, silentLogger)
      const heard: Json[] = []
      await there.subscribe("across", (message) => heard.push(message))
      await waitFor("the message", async () => {
        await here.publish("across", 1)
        return heard.length > 0
      })
      await here.close()
      await other.close()
    })

    test("commands and messages fail with store_unavailable, and both come back by themselves", async () => {
      const pubSub = createRedisPubSub(connection, silentLogger)
      const cache = createRedisKeyValueCache(connection)
      const heard: Json[] = []
      await pubSub.subscribe("news", (message) => heard.push(message))
      await server.kill()
      await expect(cache.get("any")).rejects.toMatchObject({ code: "store_unavailable" })
      await expect(pubSub.publish("news", 1)).rejects.toMatchObject({ code: "store_unavailable" })
      await pubSub.subscribe("asked for while away", (message) => heard.push(message))
      await server.start()
      await untilReady()
      await waitFor("both channels to be subscribed again", async () => {
        await pubSub.publish("news", "back")
        await pubSub.publish("asked for while away", "also")
        return heard.includes("back") && heard.includes("also")
      })
      await pubSub.close()
    })

    test("a frozen Redis holds up nobody who leaves or subscribes, and who subscribed hears messages once it thaws", async () => {
      const pubSub = createRedisPubSub(connection, silentLogger)
      const heard: Json[] = []
      const leave = await pubSub.subscribe("left", (message) => heard.push(message))
      await waitFor("the subscription", async () => {
        await pubSub.publish("left", "here")
        return heard.length > 0
      })
      server.freeze()
      await leave()
      await pubSub.subscribe("asked for while frozen", (message) => heard.push(message))
      server.thaw()
      await untilReady()
      await waitFor("the message", async () => {
        await pubSub.publish("asked for while frozen", "thawed")
        return heard.includes("thawed")
      })
      await pubSub.close()
    })

    test("a frozen Redis holds nobody up for long, and is used again when it thaws", async () => {
      const cache = createRedisKeyValueCache(connection)
      server.freeze()
      for (let attempt = 0; attempt < 10; attempt++)
        await expect(cache.get("any")).rejects.toMatchObject({ code: "store_unavailable" })
      server.thaw()
      await untilReady()
      await cache.set("any", "again", 60)
      expect(await cache.get("any")).toBe("again")
    })
  })
}
