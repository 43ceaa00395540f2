import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { parseTime } from "../features/capture/index.js"
import { exportProjects } from "../moving/export/export-projects.js"
import { EXPORT_FORMATS, type ExportManifest } from "../moving/export/manifest.js"
import { Waymark } from "../moving/wire/waymark.js"
import { systemClock } from "../platform/clock/system-clock.js"
import { StartupError } from "../platform/embedded/startup-error.js"
import { type Environment, readEnvironment, readImportKeys } from "./environment.js"
import { findServer, readCredentials } from "./find-server.js"
import { reachStores } from "./reach-stores.js"
import { untilInterrupted, withStores } from "./with-stores.js"

const USAGE = [
  "Usage: npm run export -- --to DIR [--project N] [--after TIME] [--before TIME]",
  "[--format parquet|jsonl] [--recordings] [--records [--server URL]]",
].join(" ")

const OPTIONS = {
  to: { type: "string" },
  project: { type: "string" },
  after: { type: "string" },
  before: { type: "string" },
  format: { type: "string", default: "parquet" },
  records: { type: "boolean", default: false },
  recordings: { type: "boolean", default: false },
  server: { type: "string" },
} as const

/** `npm run export -- --to DIR`: files of what projects hold, for other products. @returns what was written. */
export async function runExport(parts: readonly string[]): Promise<string> {
  const { to, project = null, after = null, before = null, format: name, ...asked } = parseOptions(parts)
  const format = EXPORT_FORMATS.find((known) => known === name)
  if (to === undefined || to === "" || format === undefined || !/^\d{1,9}$/.test(project ?? "1"))
    throw new StartupError(USAGE)
  const folder = resolve(to)
  const [fromMs, toMs] = [readTime(after), readTime(before)]
  const environment = readEnvironment()
  const openServer = asked.records ? createServerOpener(environment, asked.server) : null
  const manifest = await withStores(environment, reachStores, ({ postgres, clickHouse }, progress) =>
    exportProjects({
      postgresUrl: postgres,
      clickHouse,
      folder,
      format,
      project: project === null ? null : Number(project),
      fromMs,
      toMs,
      openServer,
      hasRecordings: asked.recordings,
      clock: systemClock,
      progress,
      signal: untilInterrupted("Stopped. Run the command again to go on."),
    }),
  )
  return `Exported ${describe(manifest)} to ${folder}.`
}

/** By the key of the environment, else that of the first start on the data directory. */
function createServerOpener(environment: Environment, address: string | undefined): (project: number) => Waymark {
  const personalKey = readImportKeys().personalKey ?? readCredentials(environment.dataDirectory).personal_api_key
  if (typeof personalKey !== "string") throw new StartupError("Set PERSONAL_KEY to a key that may read the records.")
  const url = (address ?? findServer(environment)).replace(/\/+$/, "")
  return (project) => new Waymark({ url, projectKey: String(project), personalKey })
}

function parseOptions(parts: readonly string[]) {
  try {
    return parseArgs({ args: [...parts], options: OPTIONS }).values
  } catch {
    throw new StartupError(USAGE)
  }
}

/** As capture reads times: milliseconds since the epoch. @throws StartupError for what is none. */
function readTime(text: string | null): number | null {
  const ms = text === null ? null : parseTime(text)
  if (text !== null && ms === null) throw new StartupError(`${text} is not a time, such as 2026-11-28T10:00:00Z.`)
  return ms
}

function describe({ parts, recordings, takenAt }: ExportManifest): string {
  const counts = Map.groupBy(parts, ({ kind }) => kind)
  const count = (kind: string): number => (counts.get(kind) ?? []).reduce((sum, { rows }) => sum + rows, 0)
  const rows = `${count("events")} events, ${count("persons")} ids of persons, ${count("groups")} groups`
  const screens = recordings.length === 0 ? "" : `, ${recordings.length} of them in files,`
  return `${rows} and counts of ${count("session_recordings")} recordings${screens} as of ${takenAt}`
}
