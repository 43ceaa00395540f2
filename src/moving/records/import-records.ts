import { z } from "zod"
import type { JsonObject } from "../../kernel/json.js"
import type { Progress } from "../../platform/progress/progress.js"
import type { Ledger } from "../ledger.js"
import type { Waymark } from "../wire/waymark.js"
import { fillRecord, listByName, type Made, makeRecord } from "./made-records.js"
import { findName } from "./record-input.js"
import { RECORD_KINDS, type RecordKind, toWords } from "./record-kinds.js"
import type { RecordSource } from "./record-source.js"

const ids = z.record(z.string(), z.string())

/** What came over, by kind: numbers of the source with those of the project, or short ids. */
export const recordsLedger = z.object({
  source: z.string(),
  known: z.object({
    cohorts: ids,
    actions: ids,
    feature_flags: ids,
    insights: ids,
    dashboards: ids,
    session_recording_playlists: ids.default({}),
  }),
  /** Made, and perhaps without all that belongs into it. */
  unfilled: z
    .object({ kind: z.enum(RECORD_KINDS), of: z.string(), id: z.string() })
    .nullable()
    .default(null),
})
export type RecordsLedger = z.output<typeof recordsLedger>

/** The ledger of an import that has not begun. */
export const beginRecordsLedger = (source: string): RecordsLedger => ({
  source,
  known: {
    cohorts: {},
    actions: {},
    feature_flags: {},
    insights: {},
    dashboards: {},
    session_recording_playlists: {},
  },
  unfilled: null,
})

export interface RecordImport {
  readonly source: RecordSource
  readonly target: Waymark
  readonly ledger: Ledger<RecordsLedger>
  readonly progress: Progress
}

/**
 * Brings cohorts, actions, flags, insights, dashboards and playlists of a source into a project, under its own numbers.
 * What came over before, by the ledger, stays as it is; so does what has the same name already (a flag: the same key).
 * @returns a line for each kind and each record that did not come over.
 * @throws StartupError when a key does not open what it must.
 */
export async function importRecords(work: RecordImport): Promise<string> {
  const lines: string[] = []
  for (const kind of RECORD_KINDS) lines.push(...(await importKind(work, kind)))
  return lines.join("\n")
}

async function importKind(work: RecordImport, kind: RecordKind): Promise<string[]> {
  const { source, target, ledger, progress } = work
  progress.show(`Reading ${toWords(kind)}`)
  const records = (await source.list(kind)).filter(({ deleted }) => deleted !== true)
  const unclaimed = await listByName(target, kind)
  const { known, unfilled } = ledger.state
  for (const id of Object.values(known[kind])) claim(unclaimed, id)
  if (unfilled?.kind === kind) claim(unclaimed, unfilled.id)
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

/** A record that a run before has made and not filled is filled now. */
async function make({ source, target, ledger }: RecordImport, kind: RecordKind, record: JsonObject): Promise<Made> {
  const whole = await source.complete(kind, record)
  const { known, unfilled } = ledger.state
  const isMade = unfilled?.kind === kind && unfilled.of === String(record.id)
  const outcome = isMade ? { id: unfilled.id } : await makeRecord(target, kind, whole, known)
  if ("refusal" in outcome) return outcome
  await ledger.keep({ unfilled: { kind, of: String(record.id), id: outcome.id } })
  await fillRecord(target, kind, outcome.id, whole)
  return outcome
}

function note(ledger: Ledger<RecordsLedger>, kind: RecordKind, { id }: JsonObject, madeId: string): Promise<void> {
  const { known } = ledger.state
  return ledger.keep({ known: { ...known, [kind]: { ...known[kind], [String(id)]: madeId } }, unfilled: null })
}

/** Takes an id off the list, so that no other record of its name is taken for it. */
function claim(unclaimed: ReadonlyMap<string, string[]>, id: string): void {
  for (const all of unclaimed.values()) if (all.includes(id)) all.splice(all.indexOf(id), 1)
}
