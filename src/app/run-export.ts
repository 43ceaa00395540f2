import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { parseTime } from "../features/capture/index.js"
import { exportProjects } from "../moving/export/export-projects.js"
import { EXPORT_FORMATS, type ExportManifest } from "../moving/export/manifest.js"
import { systemClock } from "../platform/clock/system-clock.js"
import { StartupError } from "../platform/embedded/startup-error.js"
import { readEnvironment } from "./environment.js"
import { reachStores } from "./reach-stores.js"
import { untilInterrupted, withStores } from "./with-stores.js"

const USAGE = "Usage: npm run export -- --to DIR [--project N] [--after TIME] [--before TIME] [--format parquet|jsonl]"

const OPTIONS = {
  to: { type: "string" },
  project: { type: "string" },
  after: { type: "string" },
  before: { type: "string" },
  format: { type: "string", default: "parquet" },
} as const

/** `npm run export -- --to DIR`: files of what projects hold, for other products. @returns what was written. */
export async function runExport(parts: readonly string[]): Promise<string> {
  const { to, project = null, after = null, before = null, format: name } = parseOptions(parts)
  const format = EXPORT_FORMATS.find((known) => known === name)
  if (to === undefined || to === "" || format === undefined || !/^\d{1,9}$/.test(project ?? "1"))
    throw new StartupError(USAGE)
  const folder = resolve(to)
  const [fromMs, toMs] = [readTime(after), readTime(before)]
  const manifest = await withStores(readEnvironment(), reachStores, ({ postgres, clickHouse }, progress) =>
    exportProjects({
      postgresUrl: postgres,
      clickHouse,
      folder,
      format,
      project: project === null ? null : Number(project),
      fromMs,
      toMs,
      clock: systemClock,
      progress,
      signal: untilInterrupted("Stopped. Run the command again to go on."),
    }),
  )
  return `Exported ${describe(manifest)} to ${folder}.`
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

function describe({ parts, takenAt }: ExportManifest): string {
  const counts = Map.groupBy(parts, ({ kind }) => kind)
  const count = (kind: string): number => (counts.get(kind) ?? []).reduce((sum, { rows }) => sum + rows, 0)
  return `${count("events")} events, ${count("persons")} ids of persons, ${count("groups")} groups and counts of ${count(
    "session_recordings",
  )} recordings as of ${takenAt}`
}
