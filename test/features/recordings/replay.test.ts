import { describe, expect, test } from "@jest/globals"
import { type ReplayBlock, toBlock } from "../../../src/features/recordings/replay/replay-block.js"
import { type ReadMessage, readMessage } from "../../../src/features/recordings/replay/snapshot-message.js"
import type { Json } from "../../../src/kernel/json.js"
import { click, consoleCall, key, message, meta, move, mutation, NOW_MS, SESSION } from "./replay/snapshots.js"

const DAY_MS = 86_400_000

const blockOf = (...messages: ReturnType<typeof message>[]): ReplayBlock =>
  toBlock(messages.map((one) => readMessage(one) as ReadMessage) as [ReadMessage])

describe("a snapshot message", () => {
  test("keeps its items that have a time, in the order of time", () => {
    const read = readMessage(message([click(20), null, "x", { type: 3 }, { type: 3, timestamp: 0 }, move(10)]))
    expect(read).toMatchObject({ sessionId: SESSION, windowId: "w1", items: [move(10), click(20)] })
  })

  test.each<[string, Json[]]>([
    ["nothing", []],
    ["no item with a time", [{ type: 3, timestamp: "1" }, { type: 3, timestamp: -1 }, 5, []]],
  ])("with %s is dropped", (_, items) => {
    expect(readMessage(message(items))).toBe("message_contained_no_valid_rrweb_events")
  })

  test("whose times are a week or more off is dropped, and one a little less is kept", () => {
    for (const offsetMs of [7 * DAY_MS, -7 * DAY_MS])
      expect(readMessage(message([click(0), click(offsetMs)]))).toBe("message_timestamp_diff_too_large")
    expect(readMessage(message([click(1 - 7 * DAY_MS), click(0)]))).toMatchObject({ sessionId: SESSION })
  })

  test("of the past may be of any time before now, as long as its own times are within a week", () => {
    const past = { historicalMigration: true }
    expect(readMessage(message([click(-400 * DAY_MS), click(-393 * DAY_MS - 1)], past))).toMatchObject({
      sessionId: SESSION,
    })
    for (const times of [[-400, -393] as const, [0, 7] as const])
      expect(
        readMessage(
          message(
            times.map((days) => click(days * DAY_MS)),
            past,
          ),
        ),
      ).toBe("message_timestamp_diff_too_large")
  })

  test("takes the session for the window when none is named", () => {
    expect(readMessage(message([click(0)], { properties: { $window_id: null } }))).toMatchObject({ windowId: SESSION })
  })
})

describe("a block", () => {
  test("joins messages of several windows in the order of time and tells who came first", () => {
    const block = blockOf(
      message([move(3000), key(3500)], { position: 7, distinctId: "later", receivedAtMs: NOW_MS + 4000 }),
      message([meta(0, " https://a.test/ "), click(3100)], { position: 3, properties: { $window_id: "w2" } }),
    )
    expect(block).toMatchObject({
      distinctId: "größe@b.test",
      firstTimestampMs: NOW_MS,
      lastTimestampMs: NOW_MS + 3500,
      receivedAtMs: NOW_MS + 4000,
      messageCount: 2,
      clickCount: 1,
      keypressCount: 1,
      mouseActivityCount: 2,
      activeMilliseconds: 500,
      urls: ["https://a.test/"],
      positions: [3, 7],
    })
    expect(block.lines.map(({ text }) => JSON.parse(text))).toEqual([
      ["w2", meta(0, " https://a.test/ ")],
      ["w1", move(3000)],
      ["w2", click(3100)],
      ["w1", key(3500)],
    ])
    const bytes = block.lines.reduce((total, { text }) => total + Buffer.byteLength(`${text}\n`), 0)
    expect(block.sizeBytes).toBe(bytes)
  })

  test("counts clicks of partly compressed recordings without unpacking anything", () => {
    const compressed = { timestamp: NOW_MS, cv: "2024-10" }
    const block = blockOf(
      message([
        { ...compressed, type: 2, data: "\u001f\u008b\u0008\u0000\ud800" },
        { ...compressed, type: 3, data: { source: 0, texts: "\u001f\u008b", attributes: "", removes: "", adds: "" } },
        click(1),
      ]),
    )
    expect(block).toMatchObject({ clickCount: 1, keypressCount: 0, mouseActivityCount: 1 })
    expect(JSON.parse(block.lines[0]?.text ?? "")[1].data).toBe("\u001f\u008b\u0008\u0000\ud800")
  })

  test("sorts the console into logs, warnings and errors and keeps each line of a message once", () => {
    const calls = ["log", "info", "trace", "made-up", "warn", "countReset", "error", "assert"]
    const block = blockOf(
      message([
        ...calls.map((level, index) => consoleCall(index, level, `"${level}"`, 5, "end")),
        consoleCall(10, "error", '"error"', "end"),
        consoleCall(11, "warn", "x".repeat(5000), "y"),
        { type: 6, timestamp: NOW_MS, data: { plugin: "rrweb/network@1", payload: { level: "error", payload: [] } } },
        { type: 5, timestamp: NOW_MS, data: { plugin: "rrweb/console@1", payload: { level: "error" } } },
      ]),
    )
    expect(block).toMatchObject({ consoleLogCount: 4, consoleWarnCount: 3, consoleErrorCount: 3 })
    expect(block.logs).toHaveLength(9)
    expect(block.logs[0]).toEqual({ windowId: "w1", level: "info", message: '"log" end', timestampMs: NOW_MS })
    expect(block.logs.at(-1)?.message).toBe(`${"x".repeat(2999)} y`)
  })

  test("remembers 25 addresses, from page loads and from changes without one", () => {
    const visits = Array.from({ length: 30 }, (_, index) => meta(index + 1, `https://a.test/${index}`))
    const change = { type: 5, timestamp: NOW_MS, data: { tag: "$pageview", payload: { href: "https://a.test/first" } } }
    const { urls } = blockOf(message([...visits, ...visits, change, meta(0, ""), meta(0, 5)]))
    expect(urls).toHaveLength(25)
    expect(urls[0]).toBe("https://a.test/first")
  })

  test("counts time as active only until five seconds after the last action", () => {
    const activeMs = (...items: Json[]): number => blockOf(message(items)).activeMilliseconds
    expect(activeMs(mutation(0), mutation(3000))).toBe(0)
    expect(activeMs(mutation(0), click(100), mutation(5100), mutation(5101), click(9000))).toBe(5001)
    expect(activeMs(click(0), move(5000), click(10_000))).toBe(10_000)
    expect(activeMs(click(0))).toBe(1)
  })
})

test("a message of a session whose id no SDK makes is dropped", () => {
  for (const $session_id of [null, "", 5, "a b", "x".repeat(71), "ü"])
    expect(readMessage(message([click(0)], { properties: { $session_id } }))).toBe("message_with_invalid_session_id")
})
