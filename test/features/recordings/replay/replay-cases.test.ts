import { readFileSync } from "node:fs"
import { describe, expect, test } from "@jest/globals"
import { toListValues } from "../../../../src/features/recordings/replay/list-values.js"
import { countItems } from "../../../../src/features/recordings/replay/replay-block.js"
import type { RrwebItem } from "../../../../src/features/recordings/replay/rrweb-item.js"

interface ReplayCase {
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly given: Record<string, unknown> & { readonly items?: RrwebItem[] }
  readonly expect: Record<string, number | boolean>
}

const file = readFileSync(new URL("../../../cases/capture.json", import.meta.url), "utf8")
const cases = (JSON.parse(file) as { cases: ReplayCase[] }).cases.filter(({ kind }) => kind === "replay")

const toSnakeCase = (values: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )

function answerOf({ given }: ReplayCase): Record<string, unknown> {
  if (given.items !== undefined)
    return toSnakeCase(countItems(given.items.toSorted((a, b) => a.timestamp - b.timestamp)))
  const count = (name: string): number => Number(given[name] ?? 0)
  const nowMs = Date.UTC(2026, 10, 21)
  const sums = {
    startMs: Date.parse(String(given.start)),
    endMs: Date.parse(String(given.end)),
    lastReceivedMs: nowMs - count("last_server_write_age_s") * 1000,
    activeMilliseconds: count("active_milliseconds"),
    clickCount: count("click_count"),
    keypressCount: count("keypress_count"),
    mouseActivityCount: count("mouse_activity_count"),
    consoleLogCount: count("console_log_count"),
    consoleWarnCount: count("console_warn_count"),
    consoleErrorCount: count("console_error_count"),
  }
  return toSnakeCase(toListValues(sums, nowMs))
}

describe("the replay cases", () => {
  test.each(cases.map((one) => [`${one.id}: ${one.title}`, one] as const))("%s", (_, one) => {
    expect(answerOf(one)).toMatchObject(one.expect)
  })
})
