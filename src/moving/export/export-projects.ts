import { readdir } from "node:fs/promises"
import type { ClientBase } from "pg"
import { filterThere, removeOtherFiles } from "../../backup/backup-folder.js"
import { locksBackups } from "../../backup/backup-lock.js"
import { dropSnapshots, takeSnapshots } from "../../backup/click-house-tables.js"
import { readStoreId } from "../../backup/postgres-tables.js"
import { exportParts } from "../../backup/table-parts.js"
import type { Clock } from "../../kernel/clock.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import { StartupError } from "../../platform/embedded/startup-error.js"
import { withPostgres } from "../../platform/postgres/with-postgres.js"
import type { Progress } from "../../platform/progress/progress.js"
import type { Ledger } from "../ledger.js"
import type { Waymark } from "../wire/waymark.js"
import { exportRecordings } from "./export-recordings.js"
import { exportRecords } from "./export-records.js"
import {
  type ExportedProject,
  type ExportedRows,
  type ExportedTimes,
  type FindTable,
  listExportedRows,
} from "./exported-rows.js"
import {
  type ExportedRecording,
  type ExportedRecords,
  type ExportFormat,
  type ExportManifest,
  type ExportPart,
  openExport,
} from "./manifest.js"
import { toRowFormat } from "./row-format.js"

export interface ProjectExport extends ExportedTimes {
  readonly postgresUrl: string
  readonly clickHouse: ClickHouse
  /** Absolute. What an earlier run has written there and is still the same stays. */
  readonly folder: string
  readonly format: ExportFormat
  /** Null for all. */
  readonly project: number | null
  /** A project of the server, for what people made there; null where that is not asked for. */
  readonly openServer: ((project: number) => Waymark) | null
  /** Whether what was on the screen of recordings is written too. */
  readonly hasRecordings: boolean
  readonly clock: Clock
  readonly progress: Progress
  /** Aborting leaves what is written: the next run goes on behind it. */
  readonly signal: AbortSignal
}

const RECORDINGS_PER_KEEP = 200
const PROJECT_FOLDER = /^project-\d+$/

/**
 * Writes events, persons, groups and recordings' counts of projects into files that other products read, as they are at
 * one moment (decision 0095), while the server goes on; and, when asked for, what people made as it is afterwards.
 * @throws StartupError when the operator has to change something.
 */
export function exportProjects(work: ProjectExport): Promise<ExportManifest> {
  const { postgresUrl, clickHouse, folder, openServer, hasRecordings, clock } = work
  return withPostgres(postgresUrl, "waymark export", async (client) => {
    if (!(await locksBackups(client)))
      throw new StartupError("A backup or another export of this installation is under way.")
    const projects = await listProjects(client, work.project)
    const ledger = await openExport(folder, { storeId: await readStoreId(client), ...toAsked(work) })
    await dropSnapshots(clickHouse)
    try {
      const takenAt = new Date(clock.now()).toISOString()
      const snapshots = await takeSnapshots(clickHouse)
      const find: FindTable = (name) => snapshots.find((table) => table.name === name)?.snapshot ?? name
      const parts: ExportPart[] = []
      for (const project of projects)
        for (const rows of listExportedRows(find, project, work))
          for await (const part of exportRows(work, ledger, project, rows)) parts.push(part)
      const recordings: ExportedRecording[] = []
      if (hasRecordings)
        for (const { id } of projects) recordings.push(...(await exportScreens(work, ledger, find, id)))
      const records: ExportedRecords[] = []
      if (openServer !== null)
        for (const { id } of projects) records.push(...(await exportRecords(openServer(id), id, folder, work.progress)))
      await ledger.keep({ takenAt, parts, records, recordings })
      const subfolders = (await readdir(folder)).filter((name) => PROJECT_FOLDER.test(name))
      const files = [...parts, ...records, ...recordings].map(({ file }) => file)
      await removeOtherFiles(folder, subfolders, files)
      return ledger.state
    } finally {
      await dropSnapshots(clickHouse)
    }
  })
}

const toAsked = ({ format, project, fromMs, toMs }: ProjectExport): Omit<ExportManifest["asked"], "storeId"> => ({
  files: format,
  project,
  from: fromMs === null ? null : new Date(fromMs).toISOString(),
  to: toMs === null ? null : new Date(toMs).toISOString(),
})

async function listProjects(client: ClientBase, project: number | null): Promise<ExportedProject[]> {
  const { rows } = await client.query<ExportedProject>(
    `SELECT p.id, array(SELECT coalesce(g.name, '') FROM generate_series(0, 4) AS i
                          LEFT JOIN group_type g ON g.project_id = p.id AND g.type_index = i ORDER BY i) AS "groupTypes"
       FROM project p WHERE $1::integer IS NULL OR p.id = $1 ORDER BY p.id`,
    [project],
  )
  if (rows.length === 0) throw new StartupError(`There is no project ${project}.`)
  return rows
}

/** Keeps in the manifest each file that is new, so that a run that is broken off has not written it in vain. */
async function* exportRows(
  { clickHouse, folder, format, progress, signal }: ProjectExport,
  ledger: Ledger<ExportManifest>,
  { id: project }: ExportedProject,
  rows: ExportedRows,
): AsyncGenerator<ExportPart> {
  const { kind, columns } = rows
  const own = ledger.state.parts.filter((part) => part.project === project && part.kind === kind)
  const known = await filterThere(folder, own)
  const target = { folder, inside: `project-${project}/${kind}`, known, progress, signal }
  for await (const found of exportParts(clickHouse, rows, { ...target, ...toRowFormat(format, columns) })) {
    const part = { ...found, project, kind }
    if (!known.some(({ file }) => file.path === part.file.path))
      await ledger.keep({ parts: [...ledger.state.parts, part] })
    yield part
  }
}

/** Keeps in the manifest what is new, some files at a time: it is written as a whole. */
async function exportScreens(
  { clickHouse, folder, fromMs, toMs, progress, signal }: ProjectExport,
  ledger: Ledger<ExportManifest>,
  find: FindTable,
  project: number,
): Promise<ExportedRecording[]> {
  const own = ledger.state.recordings.filter((recording) => recording.project === project)
  const others = ledger.state.recordings.filter((recording) => recording.project !== project)
  const known = await filterThere(folder, own)
  const found: ExportedRecording[] = []
  const target = { folder, project, known, fromMs, toMs, progress, signal }
  for await (const recording of exportRecordings(clickHouse, find, target)) {
    found.push(recording)
    if (found.length % RECORDINGS_PER_KEEP === 0) await ledger.keep({ recordings: [...others, ...known, ...found] })
  }
  await ledger.keep({ recordings: [...others, ...found] })
  return found
}
