import { statSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { parseTime, runSteps } from "../features/capture/index.js"
import { downloadEvents } from "../moving/events/download-events.js"
import type { CaptureRules } from "../moving/events/event-to-send.js"
import { beginEventsLedger, type EventSource, eventsLedger, importEvents } from "../moving/events/import-events.js"
import { type CsvColumns, readCsvRow, requireColumns } from "../moving/events/read-csv-row.js"
import { findUnknownColumns, readPosthogRow } from "../moving/events/read-posthog-row.js"
import type { FoundRow } from "../moving/files/found-row.js"
import { identifyFiles, toName } from "../moving/files/identify-files.js"
import { readRows } from "../moving/files/read-rows.js"
import { Ledger } from "../moving/ledger.js"
import { importRecordings, recordingsLedger } from "../moving/recordings/import-recordings.js"
import { beginRecordsLedger, importRecords, recordsLedger } from "../moving/records/import-records.js"
import { openRecordFiles } from "../moving/records/record-files.js"
import { createPosthogRecords } from "../moving/records/record-source.js"
import { describeReport } from "../moving/report.js"
import { Posthog } from "../moving/wire/posthog.js"
import { Waymark } from "../moving/wire/waymark.js"
import { systemClock } from "../platform/clock/system-clock.js"
import { openDataDirectory } from "../platform/embedded/data-directory.js"
import { StartupError } from "../platform/embedded/startup-error.js"
import { type Progress, showProgress } from "../platform/progress/progress.js"
import { readEnvironment, readImportKeys } from "./environment.js"
import { findServer, readCredentials } from "./find-server.js"

const USAGE = [
  "Usage: npm run import -- posthog FILE…",
  "posthog-events --from URL --source-project N [--after TIME] [--before TIME]",
  "posthog-records --from URL --source-project N",
  "posthog-records --from DIR [--source-project N]",
  "posthog-recordings FILE…",
  "csv FILE… --columns distinct_id=NAME,timestamp=NAME[,event=NAME][,uuid=NAME] [--event NAME]",
].join(" | ")

const OPTIONS = {
  to: { type: "string" },
  from: { type: "string" },
  "source-project": { type: "string" },
  after: { type: "string" },
  before: { type: "string" },
  columns: { type: "string" },
  event: { type: "string" },
} as const

type Options = Readonly<Partial<Record<keyof typeof OPTIONS, string>>>

interface ImportCall {
  readonly options: Options
  readonly files: readonly string[]
  readonly target: Waymark
  /** Where ledgers of imports are. */
  readonly folder: string
  readonly progress: Progress
}

const SOURCES: ReadonlyMap<string, (call: ImportCall) => Promise<string>> = new Map([
  ["posthog", importPosthogFiles],
  ["posthog-events", importPosthogEvents],
  ["posthog-records", importPosthogRecords],
  ["posthog-recordings", importPosthogRecordings],
  ["csv", importCsv],
])

/**
 * `npm run import`: brings what another product has into a project of a server that runs, by its keys.
 * @returns the report. @throws StartupError when something has to be changed first; run again, it goes on.
 */
export async function runImport(parts: readonly string[]): Promise<string> {
  const { values: options, positionals } = parseOptions(parts)
  const [name = "", ...files] = positionals
  const source = SOURCES.get(name)
  if (source === undefined) throw new StartupError(USAGE)
  const missing = files.find((file) => !statSync(file, { throwIfNoEntry: false })?.isFile())
  if (missing !== undefined) throw new StartupError(`There is no file ${missing}.`)
  const { target, folder } = findTarget(options)
  // Two at once would write the same files.
  const directory = openDataDirectory(folder)
  const progress = showProgress(process.stderr)
  try {
    const paths = files.map((file) => resolve(file))
    return await source({ options, files: paths, target, folder: directory.path, progress })
  } finally {
    progress.end()
    directory.release()
  }
}

function parseOptions(parts: readonly string[]) {
  try {
    return parseArgs({ args: [...parts], options: OPTIONS, allowPositionals: true })
  } catch {
    throw new StartupError(USAGE)
  }
}

/** The keys of the environment, else those of the first start on the data directory. */
function findTarget({ to }: Options): Pick<ImportCall, "target" | "folder"> {
  const environment = readEnvironment()
  const { dataDirectory } = environment
  const made = readCredentials(dataDirectory)
  const given = readImportKeys()
  const projectKey = given.projectKey ?? made.project_api_key
  const personalKey = given.personalKey ?? made.personal_api_key
  if (typeof projectKey !== "string" || typeof personalKey !== "string")
    throw new StartupError("Set PROJECT_KEY and PERSONAL_KEY to keys of the project that is imported into.")
  const url = (to ?? findServer(environment)).replace(/\/+$/, "")
  return { target: new Waymark({ url, projectKey, personalKey }), folder: join(dataDirectory, "imports") }
}

/** Rules of capture for what is read; what an event of the past is measured by does not change while it is imported. */
const CAPTURE_RULES: CaptureRules = {
  parseTime,
  findDropReason: (item) => {
    const result = runSteps(item, {
      receivedAtMs: systemClock.now(),
      sentAtMs: null,
      historicalMigration: true,
      defaultEventName: null,
      newUuid: () => "",
    })
    return result.kept === null ? result.reason : null
  },
}

async function* readAllRows(files: readonly string[]): AsyncGenerator<FoundRow> {
  for (const file of files) yield* readRows(file)
}

function createPosthogSource(files: readonly string[]): EventSource {
  const persons = new Map<string, string>()
  return {
    rows: () => readAllRows(files),
    read: (row) => readPosthogRow(row, persons, CAPTURE_RULES),
    findUnknownColumns,
  }
}

async function importPosthogFiles(call: ImportCall): Promise<string> {
  if (call.files.length === 0) throw new StartupError(USAGE)
  return runEvents(call, createPosthogSource(call.files), [await identifyFiles(call.files)])
}

async function importPosthogEvents(call: ImportCall): Promise<string> {
  const { options, target, progress } = call
  const { after, before } = options
  const { posthog, identity } = findPosthog(call)
  const { folder, ledger } = await openLedger(call, ["posthog-events", ...identity, after ?? "", before ?? ""])
  const file = join(folder, "events.jsonl")
  // Of a time without end there are newer ones now.
  if (ledger.state.isFinished && before === undefined) await ledger.keep(beginEventsLedger(ledger.state.source))
  if (!ledger.state.isFinished) await downloadEvents({ posthog, after, before, ledger, progress }, file)
  const source = createPosthogSource([file])
  const report = await importEvents({ source, target, folder, ledger, progress })
  await rm(file, { force: true })
  return describeReport(report)
}

async function importPosthogRecords(call: ImportCall): Promise<string> {
  const { target, progress } = call
  const { source, name, identity } = await findRecords(call)
  const folder = findFolder(call, ["posthog-records", ...identity])
  const ledger = await Ledger.open(folder, recordsLedger, beginRecordsLedger(name))
  return importRecords({ source, target, ledger, progress })
}

async function importPosthogRecordings(call: ImportCall): Promise<string> {
  const { files, target, progress } = call
  if (files.length === 0) throw new StartupError(USAGE)
  const folder = findFolder(call, ["posthog-recordings", ...files])
  const ledger = await Ledger.open(folder, recordingsLedger, { source: files.join(" "), begun: null })
  return importRecordings({ target, ledger, progress }, files)
}

/** Records of PostHog where `--from` is an address, else of files. */
async function findRecords(call: ImportCall) {
  const { from = "", "source-project": project = null } = call.options
  if (/^https?:/.test(from)) {
    const { posthog, identity } = findPosthog(call)
    return { source: createPosthogRecords(posthog), name: identity.join(" project "), identity }
  }
  if (from === "" || call.files.length > 0) throw new StartupError(USAGE)
  const { source, paths } = await openRecordFiles(resolve(from), project)
  return { source, name: paths.join(" "), identity: [await identifyFiles(paths)] }
}

/** The project of PostHog that the options name, and what they say of it. */
function findPosthog({ options, files }: ImportCall): { posthog: Posthog; identity: readonly string[] } {
  const { from, "source-project": project } = options
  const { posthogPersonalKey: personalKey } = readImportKeys()
  if (from === undefined || project === undefined || files.length > 0) throw new StartupError(USAGE)
  if (personalKey === undefined) throw new StartupError("Set POSTHOG_PERSONAL_KEY to a personal key of PostHog.")
  if (!/^https?:$/.test(URL.parse(from)?.protocol ?? "")) throw new StartupError(`${from} is no address of a server.`)
  const url = from.replace(/\/+$/, "")
  return { posthog: new Posthog({ url, project, personalKey }), identity: [url, project] }
}

async function importCsv(call: ImportCall): Promise<string> {
  const { files, options } = call
  const columns = readColumns(options)
  if (files.length === 0 || columns === null) throw new StartupError(USAGE)
  const eventName = options.event ?? null
  const source: EventSource = {
    rows: () => readTables(files, columns),
    read: (row) => readCsvRow(row, { columns, eventName, rules: CAPTURE_RULES }),
    findUnknownColumns: () => [],
  }
  return runEvents(call, source, [await identifyFiles(files), JSON.stringify(columns), eventName ?? ""])
}

async function* readTables(files: readonly string[], columns: CsvColumns): AsyncGenerator<FoundRow> {
  for await (const found of readAllRows(files)) {
    requireColumns(found, columns)
    yield found
  }
}

/** Null when a column is missing or there is another. */
function readColumns({ columns = "", event }: Options): CsvColumns | null {
  const named = new Map(
    columns.split(",").map((pair) => [pair.split("=", 1)[0] ?? "", pair.slice(pair.indexOf("=") + 1)]),
  )
  const [distinctId, timestamp, eventColumn] = [named.get("distinct_id"), named.get("timestamp"), named.get("event")]
  const isKnown = [...named.keys()].every((name) => ["distinct_id", "timestamp", "event", "uuid"].includes(name))
  if (!isKnown || distinctId === undefined || timestamp === undefined) return null
  if ((eventColumn === undefined) === (event === undefined)) return null
  return { distinct_id: distinctId, timestamp, event: eventColumn ?? null, uuid: named.get("uuid") ?? null }
}

async function runEvents(call: ImportCall, source: EventSource, identity: readonly string[]): Promise<string> {
  const { target, progress } = call
  const { folder, ledger } = await openLedger(call, identity)
  return describeReport(await importEvents({ source, target, folder, ledger, progress }))
}

/** The ledger of a source and a project: the same source again finds it. */
async function openLedger(call: ImportCall, identity: readonly string[]) {
  const { files, options } = call
  const folder = findFolder(call, identity)
  const source = files.length > 0 ? files.join(" ") : `${options.from} project ${options["source-project"]}`
  return { folder, ledger: await Ledger.open(folder, eventsLedger, beginEventsLedger(source)) }
}

const findFolder = ({ folder, target }: ImportCall, identity: readonly string[]): string =>
  join(folder, toName([...identity, target.options.url, target.options.projectKey]))
