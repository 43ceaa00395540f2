import { describe, expect, test } from "@jest/globals"
import { HeartbeatMonitor } from "../../../../src/features/queries/runs/heartbeat-monitor.js"
import type { QueryRun } from "../../../../src/features/queries/runs/query-run.js"

const run = (engineQueryId: string, sequence: number) =>
  ({ projectId: 1, id: "r", engineQueryId, sequence }) as QueryRun
const names = (runs: readonly QueryRun[]) => runs.map(({ engineQueryId }) => engineQueryId)

describe("a silent worker", () => {
  test("is noticed when its run has stood still for the whole time", () => {
    const monitor = new HeartbeatMonitor(5_000)
    expect(monitor.findSilent([run("a", 1), run("b", 1)], 0)).toEqual([])
    expect(monitor.findSilent([run("a", 1), run("b", 2)], 4_999)).toEqual([])
    expect(names(monitor.findSilent([run("a", 1), run("b", 2)], 5_000))).toEqual(["a"])
    expect(names(monitor.findSilent([run("a", 1), run("b", 2)], 9_999))).toEqual(["a", "b"])
  })

  test("is not confused with the earlier attempt of the same id", () => {
    const monitor = new HeartbeatMonitor(5_000)
    monitor.findSilent([run("first", 3)], 0)
    expect(monitor.findSilent([run("second", 3)], 6_000)).toEqual([])
  })

  test("is given the whole time again by a process that has just started, whatever the clocks say", () => {
    expect(new HeartbeatMonitor(5_000).findSilent([run("a", 1)], 1e12)).toEqual([])
  })
})
