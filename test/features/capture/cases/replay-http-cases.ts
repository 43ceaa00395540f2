import { beforeAll, expect, test } from "@jest/globals"
import type { JsonObject } from "../../../../src/kernel/json.js"
import { CaseProject } from "../../../support/case-project.js"
import type { WaymarkApi } from "../../../support/waymark-api.js"
import { captureCases } from "./case-files.js"

interface ReplayCase {
  readonly id: string
  readonly title: string
  readonly given: { readonly items?: readonly (JsonObject & { readonly timestamp: number })[] }
  readonly expect: Readonly<Record<string, number>>
}

/** CAP-115 gives sums, not recorded items, and a last arrival minutes ago; `replay-cases.test.ts` has it in memory. */
const replayCases = (): readonly ReplayCase[] =>
  captureCases().filter(
    ({ kind, given }) => kind === "replay" && Array.isArray((given as ReplayCase["given"]).items),
  ) as unknown as ReplayCase[]

/** Recordings end a minute ago: items of the year of the cases would be taken for a wrong clock. */
const AGE_MS = 60_000

/** Every counter case of capture.json against a server: sent to `/s/` as snapshots, read back by HogQL. */
export function runReplayCases(api: () => WaymarkApi): void {
  let project: CaseProject

  beforeAll(async () => {
    project = await CaseProject.create(api(), "replay")
    for (const { id, given } of replayCases()) {
      const items = given.items ?? []
      const shiftMs = Date.now() - AGE_MS - Math.max(...items.map(({ timestamp }) => timestamp))
      const $snapshot_data = items.map((item) => ({ ...item, timestamp: item.timestamp + shiftMs }))
      await project.sendSnapshots([{ distinct_id: "someone", properties: { $session_id: id, $snapshot_data } }])
    }
    await api().drained()
  }, 60_000)

  test.each(replayCases())("$id: $title", async ({ id, expect: expected }) => {
    const names = Object.keys(expected)
    const rows = await project.hogql(`SELECT ${names.join(", ")} FROM session_replay_events WHERE session_id = '${id}'`)
    expect(rows.map((row) => Object.fromEntries(names.map((name, at) => [name, Number(row[at])])))).toEqual([expected])
  })
}
