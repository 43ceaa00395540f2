import { z } from "zod"
import { isJsonObject, type JsonObject } from "../../kernel/json.js"
import type { Progress } from "../../platform/progress/progress.js"
import type { Ledger } from "../ledger.js"
import type { Posthog } from "../wire/posthog.js"
import type { Waymark } from "../wire/waymark.js"
import { listByName, makeRecord } from "./made-records.js"
import { findName } from "./record-input.js"
import { RECORD_KINDS, type RecordKind } from "./record-kinds.js"

const ids = z.record(z.string(), z.string())

/** What came over, by kind: numbers of the source with those of the project, or short ids. */
export const recordsLedger = z.object({
  source: z.string(),
  known: z.object({ cohorts: ids, actions: ids, feature_flags: ids, insights: ids, dashboards: ids }),
})
export type RecordsLedger = z.output<typeof recordsLedger>

/** The ledger of an import that has not begun. */
export const beginRecordsLedger = (source: string): RecordsLedger => ({
  source,
  known: { cohorts: {}, actions: {}, feature_flags: {}, insights: {}, dashboards: {} },
})

export interface RecordImport {
  readonly posthog: Posthog
  readonly target: Waymark
  readonly ledger: Ledger<RecordsLedger>
  readonly progress: Progress
}

const MEMBERS_AT_ONCE = 1_000

/**
 * Brings cohorts, actions, flags, insights and dashboards of PostHog into a project, under its own numbers. What came
 * over before, by the ledger, stays as it is; so does what has the same name already (a flag: the same key).
 * @returns a line for each kind and each record that did not come over.
 * @throws StartupError when a key does not open what it must.
 */
export async function importRecords(work: RecordImport): Promise<string> {
  const lines: string[] = []
  for (const kind of RECORD_KINDS) lines.push(...(await importKind(work, kind)))
  return lines.join("\n")
}

async function importKind(work: RecordImport, kind: RecordKind): Promise<string[]> {
  const { posthog, target, ledger, progress } = work
  progress.show(`Reading ${toWords(kind)}`)
  const records = (await posthog.list(`${kind}/`)).filter(({ deleted }) => deleted !== true)
  const unclaimed = await listByName(target, kind)
  for (const id of Object.values(ledger.state.known[kind])) claim(unclaimed, id)
  const refusals = new Map<JsonObject, string>()
  let waiting = records.filter(({ id }) => ledger.state.known[kind][String(id)] === undefined)
  const before = records.length - waiting.length
  let [taken, made] = [0, 0]
  // Cohorts and flags refer to others of their kind: those that lack one are tried again once there are more.
  for (let count = -1; count !== waiting.length; ) {
    count = waiting.length
    const left: JsonObject[] = []
    for (const record of waiting) {
      progress.show(`${toWords(kind)}: ${findName(kind, record)}`)
      const same = unclaimed.get(findName(kind, record))?.shift()
      const outcome = same === undefined ? await make(work, kind, record) : { id: same }
      if ("refusal" in outcome) {
        refusals.set(record, outcome.refusal)
        left.push(record)
        continue
      }
      same === undefined ? made++ : taken++
      await note(ledger, kind, record, outcome.id)
    }
    waiting = left
  }
  return [
    `${toWords(kind)}: ${made} came over, ${before + taken} there before, ${waiting.length} left out.`,
    ...waiting.map((record) => `  left out: ${findName(kind, record)}: ${refusals.get(record)}`),
  ]
}

async function make({ posthog, target, ledger }: RecordImport, kind: RecordKind, record: JsonObject) {
  const whole = kind === "dashboards" ? await posthog.get(`dashboards/${record.id}/`) : record
  const outcome = await makeRecord(target, kind, isJsonObject(whole) ? whole : record, ledger.state.known)
  if ("id" in outcome && kind === "cohorts" && record.is_static === true) {
    const persons = await posthog.list(`cohorts/${record.id}/persons/`)
    const members = persons.flatMap(({ distinct_ids: all }) => (Array.isArray(all) ? all.slice(0, 1) : []))
    for (let from = 0; from < members.length; from += MEMBERS_AT_ONCE)
      await target.post(`cohorts/${outcome.id}/members/`, { distinct_ids: members.slice(from, from + MEMBERS_AT_ONCE) })
  }
  return outcome
}

function note(ledger: Ledger<RecordsLedger>, kind: RecordKind, { id }: JsonObject, madeId: string): Promise<void> {
  const { known } = ledger.state
  return ledger.keep({ known: { ...known, [kind]: { ...known[kind], [String(id)]: madeId } } })
}

/** Takes an id off the list, so that no other record of its name is taken for it. */
function claim(unclaimed: ReadonlyMap<string, string[]>, id: string): void {
  for (const all of unclaimed.values()) if (all.includes(id)) all.splice(all.indexOf(id), 1)
}

const toWords = (kind: RecordKind): string => kind.replace("_", " ")
