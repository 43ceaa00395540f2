import { afterAll, beforeAll, describe } from "@jest/globals"
import { createInProcessFlagRuleCache } from "../../../../src/features/flags/rules/in-process-flag-rule.cache.js"
import { createRedisFlagRuleCache } from "../../../../src/features/flags/rules/redis-flag-rule.cache.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { openRedis, type RedisConnection } from "../../../../src/platform/redis/redis-connection.js"
import { describeFlagRuleCache } from "../../../contract/flag-rule-cache.contract.js"
import { createPrivateRedis, hasRedisServer, type PrivateRedis } from "../../../platform/redis-server.js"
import { waitFor } from "../../../support/wait-for.js"

describeFlagRuleCache("in process", async () => createInProcessFlagRuleCache())

if (hasRedisServer()) {
  describe("over Redis", () => {
    let server: PrivateRedis
    let connection: RedisConnection
    beforeAll(async () => {
      server = await createPrivateRedis()
      await server.start()
      connection = openRedis({ url: server.url, logger: silentLogger })
      await waitFor("Redis to answer", () => connection.ping().then(() => true))
    })
    afterAll(async () => {
      await connection.close()
      await server.dispose()
    })
    describeFlagRuleCache("Redis", async () => createRedisFlagRuleCache(connection))
  })
}
