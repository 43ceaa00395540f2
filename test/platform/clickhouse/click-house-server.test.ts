import { describe, test } from "@jest/globals"
import { createClickHouse } from "../../../src/platform/clickhouse/click-house-client.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { describeClickHouse } from "../../contract/click-house.contract.js"

const { CLICKHOUSE_TEST_URL: url, CLICKHOUSE_TEST_CLUSTER: name } = process.env

if (url === undefined)
  describe("a ClickHouse server", () => {
    test.todo("is held to the same contract as the embedded engine when CLICKHOUSE_TEST_URL names one")
  })
else
  describeClickHouse(name === undefined ? "server" : `cluster ${name}`, async (table) => {
    const cluster = name === undefined ? null : { name, tables: { [table]: { shardedBy: "cityHash64(id)" } } }
    return createClickHouse({ url, logger: silentLogger, cluster })
  })
