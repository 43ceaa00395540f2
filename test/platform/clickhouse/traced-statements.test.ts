import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals"
import { setTracer, type Tracer, UNRECORDED } from "../../../src/kernel/trace.js"
import { createClickHouse } from "../../../src/platform/clickhouse/click-house-client.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"

const PLACE = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`
const names: string[] = []
const tracer: Tracer = {
  begin: (_start, _headers, work) => work(UNRECORDED),
  within: ({ name }, work) => {
    names.push(name)
    return work(UNRECORDED)
  },
  continue: (_traces, _start, work) => work(),
  current: () => PLACE,
}

const seen: (string | undefined)[] = []
const server = createServer((request, response) => {
  seen.push(request.headers.traceparent?.toString())
  response.end('{"data":[]}')
})
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening")
})
afterEach(() => setTracer(null))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

describe("a statement to ClickHouse", () => {
  test("brings along the place in the trace, and is a span by its first word; without a trace it is neither", async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const clickHouse = createClickHouse({ url, logger: silentLogger })
    const statement = { sql: "SELECT 'private words'" }
    await clickHouse.rows(statement)
    setTracer(tracer)
    await clickHouse.rows(statement)
    await clickHouse.close()
    expect(seen).toEqual([undefined, PLACE])
    expect(names).toEqual(["ClickHouse SELECT"])
  })
})
