import { describe, expect, test } from "@jest/globals"
import { ClickHouseSink } from "../../../../src/features/ingestion/rows/click-house-sink.store.js"
import { toRowBlocks } from "../../../../src/features/ingestion/rows/event-rows.js"
import { EngineError, type Insert } from "../../../../src/platform/clickhouse/click-house.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"

const NO_PERSONS = { livePersons: [], tombstones: [], distinctIds: [], overrides: [], groups: [] }
const EVENTS = toRowBlocks(["a", "b", "c"].map((text, position) => ({ position, text, month: "2025-06" })))

/** What stands in an insert, as text. */
const textOf = (insert: Insert): string =>
  "blocks" in insert ? Buffer.concat([...insert.blocks]).toString() : insert.rows.join("\n")

function createSink(refuse: (text: string) => EngineError | null) {
  const stored: string[] = []
  const insert = async (rows: Insert): Promise<void> => {
    const text = textOf(rows)
    const refusal = refuse(text)
    if (refusal !== null) throw refusal
    stored.push(...text.trim().split("\n"))
  }
  return { stored, sink: new ClickHouseSink({ insert }, silentLogger) }
}

describe("an engine that refuses an insert", () => {
  test("because of one row gets the others without it", async () => {
    const { sink, stored } = createSink((text) =>
      text.includes("b") ? new EngineError(6, "CANNOT_PARSE_TEXT", "what is b?") : null,
    )
    expect(await sink.write("token", NO_PERSONS, EVENTS)).toEqual([{ position: 1, reason: "what is b?" }])
    expect(stored).toEqual(["a", "c"])
  })

  test.each([
    [16, "NO_SUCH_COLUMN_IN_TABLE"],
    [60, "UNKNOWN_TABLE"],
    [201, "QUOTA_EXCEEDED"],
    [241, "MEMORY_LIMIT_EXCEEDED"],
    [497, "ACCESS_DENIED"],
    [516, "AUTHENTICATION_FAILED"],
  ])("for a reason of its own (%i %s) is asked once and again later: no row is given up", async (code, name) => {
    let asked = 0
    const { sink } = createSink(() => {
      asked += 1
      return new EngineError(code, name, "not now")
    })
    await expect(sink.write("token", NO_PERSONS, EVENTS)).rejects.toMatchObject({ code: "store_unavailable" })
    expect(asked).toBe(1)
  })
})
