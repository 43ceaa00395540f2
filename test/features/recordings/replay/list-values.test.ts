import { expect, test } from "@jest/globals"
import { toListValues } from "../../../../src/features/recordings/replay/list-values.js"

const SUMS = {
  startMs: 0,
  endMs: 10_000,
  lastReceivedMs: 10_000,
  activeMilliseconds: 0,
  clickCount: 0,
  keypressCount: 0,
  mouseActivityCount: 0,
  consoleLogCount: 0,
  consoleWarnCount: 0,
  consoleErrorCount: 0,
}

test.each([
  [2_800, 7.2],
  [2_300, 7.7],
  [9_999, 0.001],
  [12_000, 0],
])(
  "of ten seconds with %i active milliseconds %s are inactive, without noise of fractions",
  (activeMilliseconds, inactive) => {
    const values = toListValues({ ...SUMS, activeMilliseconds } as Parameters<typeof toListValues>[0], 20_000)
    expect(values.inactiveSeconds).toBe(inactive)
  },
)
