import { setImmediate } from "node:timers/promises"
import { describe, expect, test } from "@jest/globals"
import type { QueryEngine, RowStreamEngine } from "../../../src/features/queries/engine/query-engine.types.js"
import { EXPORT_TURNS, QueryTurns } from "../../../src/features/queries/execution/query-turns.js"
import { createQueryExports } from "../../../src/features/queries/exports/query-exports.js"
import type { QueryRequest } from "../../../src/features/queries/queries.types.js"
import type { QueryRun } from "../../../src/features/queries/runs/query-run.js"
import type { RunBoard } from "../../../src/features/queries/runs/run-board.js"
import type { RunPerformer } from "../../../src/features/queries/runs/run-performer.js"
import { asProjectId } from "../../../src/kernel/ids.js"
import { createManualClock } from "../../../src/platform/clock/manual-clock.js"

const PROJECT = asProjectId(7)
const REQUEST: QueryRequest = { query: { kind: "TrendsQuery" }, clientQueryId: null, refresh: "blocking" }

/** Exports of a kind that is calculated at once, whose runs only tell how they ended. */
function createExports() {
  const turns = new QueryTurns(EXPORT_TURNS)
  const outcomes: string[] = []
  const performer: Pick<RunPerformer, "perform"> = {
    perform: async (_run, signal, begin) => {
      const work = await begin(signal)
      return work.answer.then(
        (answer) => {
          outcomes.push("complete")
          return answer
        },
        (failure: unknown) => {
          outcomes.push("failed")
          throw failure
        },
      )
    },
  }
  let lastId = 0
  const exports = createQueryExports({
    kindsOver: () => [{ kind: "TrendsQuery", run: async () => ({ columns: ["day"], results: [["2026-03-01"]] }) }],
    engine: {} as QueryEngine & RowStreamEngine,
    board: { begin: async () => ({}) as QueryRun } as unknown as RunBoard,
    performer: performer as RunPerformer,
    turns,
    projects: { settings: async () => ({ timezone: "UTC", weekStartDay: 0 }) },
    clock: createManualClock(0),
    maxRows: 10,
    newId: () => `id-${++lastId}`,
  })
  const client = new AbortController()
  const open = () => exports.open(PROJECT, REQUEST, "jsonl", client.signal)
  return { open, turns, outcomes, leave: () => client.abort(new Error("the client left")) }
}

describe("an export", () => {
  test("holds its turn until it has been read to the end", async () => {
    const { open, turns, outcomes } = createExports()
    const { pieces } = await open()
    expect(turns.running).toBe(1)
    const texts: string[] = []
    for await (const piece of pieces) texts.push(String(piece))
    await setImmediate()
    expect(texts.join("")).toContain("2026-03-01")
    expect([turns.running, outcomes]).toEqual([0, ["complete"]])
  })

  test("that nobody has begun to read gives up its turn when the client leaves, and its run fails", async () => {
    const { open, turns, outcomes, leave } = createExports()
    await open()
    leave()
    await setImmediate()
    expect([turns.running, outcomes]).toEqual([0, ["failed"]])
  })
})
