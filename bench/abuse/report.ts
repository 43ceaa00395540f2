import type { AttackReport, KindReport } from "./attack-run.js"
import { KINDS, type Kind } from "./neighbour.js"

/** What the neighbour and the machine may lose to an attack (docs/abuse.md). */
const MAX_RATIO = 3
const MAX_P99_MS = 1_000
const MAX_MORE_MEGABYTES = 700
/** A quiet server answers faster than a busy machine can be measured: less than this is nobody's harm. */
const HARMLESS_MS = 20
/** What is below is not worth a word in the table. */
const MAX_UNSAID_VISIBILITY_MS = 5_000
const MAX_UNSAID_DISK_MEGABYTES = 1_000

const ratioOf = (report: AttackReport, kind: Kind): number =>
  report.attacked[kind].p99Ms / Math.max(1, report.quiet[kind].p99Ms)

const moreMegabytes = ({ peakMegabytes, idleMegabytes }: AttackReport): number => peakMegabytes - idleMegabytes

const failuresOf = ({ failures }: KindReport): number => Object.values(failures).reduce((sum, count) => sum + count, 0)

const isFast = (report: AttackReport, kind: Kind): boolean => {
  const { p99Ms } = report.attacked[kind]
  return p99Ms < HARMLESS_MS || (p99Ms < MAX_P99_MS && ratioOf(report, kind) <= MAX_RATIO)
}

/** Whether the neighbour noticed nothing that is not allowed. */
const isWithinLimits = (report: AttackReport): boolean =>
  report.isAlive &&
  moreMegabytes(report) <= MAX_MORE_MEGABYTES &&
  KINDS.every((kind) => isFast(report, kind) && failuresOf(report.attacked[kind]) === 0)

/** One attack in some lines, for whoever waits for the next. */
export function describe(report: AttackReport): string {
  const { death, visibility, outcomes, ownDelayMs, loadBefore } = report
  const lines = KINDS.map((kind) => {
    const [quiet, attacked] = [report.quiet[kind], report.attacked[kind]]
    const times = `p99 ${ms(quiet.p99Ms)} → ${ms(attacked.p99Ms)} ms (× ${ratioOf(report, kind).toFixed(1)})`
    const more = `p50 ${ms(quiet.p50Ms)} → ${ms(attacked.p50Ms)}, worst ${ms(attacked.worstMs)}`
    return `  ${kind.padEnd(8)}${times}, ${more}; failed: ${counts(attacked.failures)}`
  })
  const end =
    death === null
      ? report.isAlive
        ? "lives"
        : "does not answer"
      : `died (${death.by}) after ${death.afterSeconds.toFixed(1)} s`
  return [
    `${report.attack}: ${isWithinLimits(report) ? "within limits" : "NOT WITHIN LIMITS"}`,
    ...lines,
    `  server ${end}; memory ${ms(report.idleMegabytes)} + ${ms(moreMegabytes(report))} MB; disk + ${ms(diskOf(report))} MB; event to be queried after ${seconds(visibility.worstMs)}${visibility.unseen === 0 ? "" : `, ${visibility.unseen} never`}`,
    `  attacker got: ${counts(outcomes)}; load before ${loadBefore.toFixed(1)}; own loop's delay ${ms(ownDelayMs)} ms`,
    "",
  ].join("\n")
}

/** The table of `docs/abuse.md`; the last column is for a later state. */
export function toMarkdown(reports: readonly AttackReport[]): string {
  const rows = reports.map(
    (report) =>
      `| ${isWithinLimits(report) ? "" : "**"}${report.attack}${isWithinLimits(report) ? "" : "**"} | ${toCell(report)} | |`,
  )
  return ["| Attack | Before | After |", "|---|---|---|", ...rows, ""].join("\n")
}

/** Death, the kinds that were held up, failures, memory, and what else is out of the usual. */
function toCell(report: AttackReport): string {
  const { death, isAlive, visibility, quiet, attacked } = report
  const kindsOf = (isMeant: (kind: Kind) => boolean, say: (kind: Kind) => string): string =>
    KINDS.filter(isMeant)
      .map((kind) => `${kind} ${say(kind)}`)
      .join(", ")
  const slow = kindsOf(
    (kind) => !isFast(report, kind),
    (kind) => `${ms(quiet[kind].p99Ms)} → ${ms(attacked[kind].p99Ms)}`,
  )
  const failed = kindsOf(
    (kind) => failuresOf(attacked[kind]) > 0,
    (kind) => String(failuresOf(attacked[kind])),
  )
  const facts = [
    death !== null && `died after ${death.afterSeconds.toFixed(0)} s`,
    death === null && !isAlive && "no sign of life at the end",
    slow !== "" && `p99 ms ${slow}`,
    failed !== "" && `failed: ${failed}`,
    `+ ${ms(moreMegabytes(report))} MB`,
    visibility.worstMs > MAX_UNSAID_VISIBILITY_MS &&
      `event ${visibility.unseen > 0 ? "> " : ""}${seconds(visibility.worstMs)}`,
    diskOf(report) > MAX_UNSAID_DISK_MEGABYTES && `disk + ${ms(diskOf(report))} MB`,
  ]
  return facts.filter((fact) => fact !== false).join("; ")
}

const diskOf = ({ peakDiskMegabytes, idleDiskMegabytes }: AttackReport): number => peakDiskMegabytes - idleDiskMegabytes
const ms = (value: number): string => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en"))
const seconds = (value: number): string => `${(value / 1000).toFixed(1)} s`

const counts = (of: Readonly<Record<string, number>>): string =>
  Object.entries(of)
    .sort(([, a], [, b]) => b - a)
    .map(([what, count]) => `${count.toLocaleString("en")} × ${what}`)
    .join(", ") || "nothing"
