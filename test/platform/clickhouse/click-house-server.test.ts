import { describe, test } from "@jest/globals"
import { createClickHouse } from "../../../src/platform/clickhouse/click-house-client.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { describeClickHouse } from "../../contract/click-house.contract.js"

const url = process.env.CLICKHOUSE_URL

if (url === undefined)
  describe("a ClickHouse server", () => {
    test.todo("is held to the same contract as the embedded engine when CLICKHOUSE_URL names one")
  })
else describeClickHouse("server", async () => createClickHouse({ url, logger: silentLogger }))
