import { readdir } from "node:fs/promises"
import { z } from "zod"
import { backupFile, tablePart } from "../../backup/manifest.js"
import { StartupError } from "../../platform/embedded/startup-error.js"
import { Ledger } from "../ledger.js"

export const EXPORT_FORMATS = ["parquet", "jsonl"] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

const part = tablePart.extend({ project: z.int(), kind: z.string() })

const recording = tablePart.extend({ project: z.int(), sessionId: z.string() })

const records = z.object({ project: z.int(), kind: z.string(), count: z.int(), file: backupFile })

const exportManifest = z.object({
  format: z.literal(1),
  /** What was asked for, and of which stores: a folder holds the answer to one question. */
  asked: z.object({
    /** Of the two stores (decision 0052). */
    storeId: z.string(),
    files: z.enum(EXPORT_FORMATS),
    /** Null for all. */
    project: z.int().nullable(),
    /** Times of events: at or after `from`, before `to`; null for no end. */
    from: z.iso.datetime().nullable(),
    to: z.iso.datetime().nullable(),
  }),
  /** When the rows were as they are in the files; null until the first run is through. */
  takenAt: z.iso.datetime().nullable(),
  /** Files of rows, with how many there are and the sum of a hash of each. */
  parts: z.array(part),
  /** Files of what people made; none unless it was asked for. */
  records: z.array(records),
  /** Files of what was on the screen, a session each, by the day when it began; none unless it was asked for. */
  recordings: z.array(recording).default([]),
})

/** What an export holds: the file `manifest.json` in its folder, kept after each file. */
export type ExportManifest = z.output<typeof exportManifest>
/** A file of rows of a project. */
export type ExportPart = z.output<typeof part>
/** A file of a recording. */
export type ExportedRecording = z.output<typeof recording>
/** A file of records of a project. */
export type ExportedRecords = z.output<typeof records>

const FILE = "manifest.json"

/**
 * Opens the folder that an export goes to, or goes on in, and makes it when it is absent.
 * @throws StartupError when it holds anything else, or an export that something else was asked of.
 */
export async function openExport(folder: string, asked: ExportManifest["asked"]): Promise<Ledger<ExportManifest>> {
  const found = await readdir(folder).catch((): string[] => [])
  if (found.length > 0 && !found.includes(FILE))
    throw new StartupError(`${folder} holds something else than an export, such as ${found[0]}. Name an empty folder.`)
  const ledger = await Ledger.open(
    folder,
    exportManifest,
    { format: 1, asked, takenAt: null, parts: [], records: [], recordings: [] },
    FILE,
  )
  if (JSON.stringify(ledger.state.asked) === JSON.stringify(asked)) {
    // At once, so that a run that is killed with its first file is known again.
    await ledger.keep({})
    return ledger
  }
  throw new StartupError(`${folder} holds an export of other projects, times or files. Name an empty folder.`)
}
