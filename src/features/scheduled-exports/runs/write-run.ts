import { Readable } from "node:stream"
import type { Clock } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { TargetOpener } from "../targets/open-target.store.js"
import type { OpenTarget } from "../targets/target.types.js"
import type { ExportAtWork, ExportRunStore, OpenRun } from "./export-runs.store.js"
import type { ExportedFiles } from "./exported-files.store.js"
import { findNextInterval, findNextLook, toFilePrefix } from "./interval.js"

/** How long one export is written before others have their turn; a file that is begun is finished. */
const TURN_MS = 60_000
/** For batches that were begun when an interval ended. */
const STORED_SOON_MS = 1_000

export interface RunWriterDependencies {
  readonly store: ExportRunStore
  readonly files: ExportedFiles
  readonly targets: Pick<TargetOpener, "open">
  readonly batches: {
    /** The last batch of events of a project that is stored. */
    readonly findLast: (projectId: ProjectId) => Promise<number>
    /** The last one that somebody has begun to store, or the same. */
    readonly findBegun: (projectId: ProjectId) => Promise<number>
  }
  readonly clock: Clock
}

/** A run and the export that it is of. */
interface Work {
  readonly exported: ExportAtWork
  readonly run: OpenRun
}

/**
 * Writes what an export is to write next. Every step may be repeated: cuts are kept before the first file, files have names
 * that a repeat makes again, and the manifest comes last (decision 0096).
 */
export function createRunWriter({ store, files, targets, batches, clock }: RunWriterDependencies) {
  const now = (): Date => new Date(clock.now())

  /** The open run, or that of the next interval; null when there is nothing to do yet. */
  async function findWork(exportId: number): Promise<Work | null> {
    const exported = await store.find(exportId)
    if (exported === null) return null
    const open = await store.findRun(exportId)
    if (open !== null) return { exported, run: open }
    const interval = findNextInterval(exported, now())
    if (interval === null) {
      await store.postpone(exported, findNextLook(exported, now()))
      return null
    }
    const run = await store.begin(exportId, interval, await batches.findBegun(exported.projectId), now())
    return run && { exported, run }
  }

  /** The run with its cuts; null while events of the interval are being stored. */
  async function cut({ exported, run }: Work): Promise<Work | null> {
    if (run.cuts !== null) return { exported, run }
    if (exported.content === "events" && (await batches.findLast(exported.projectId)) < run.awaitedBatch) {
      await store.postpone(exported, new Date(clock.now() + STORED_SOON_MS))
      return null
    }
    const cuts = await files.cut(exported, run)
    await store.keepCuts(run.id, cuts)
    return { exported, run: { ...run, cuts } }
  }

  /** Whether all is written; the turn may be over before. */
  async function write({ exported, run }: Work, target: OpenTarget, signal: AbortSignal): Promise<boolean> {
    const cuts = run.cuts ?? []
    const written = [...run.files]
    const prefix = toFilePrefix({ from: run.intervalFrom, to: run.intervalTo })
    const endMs = clock.now() + TURN_MS
    for (const [index, one] of cuts.entries()) {
      const name = `${prefix}-${String(index).padStart(4, "0")}.${run.format}`
      if (written.some((file) => file.name === name)) continue
      if (clock.now() > endMs) return false
      signal.throwIfAborted()
      const { rows, content } = await files.open(exported, run, one, signal)
      const file = { name, rows, bytes: await target.write(`${exported.content}/${name}`, content, signal) }
      await store.keepFile(run.id, file)
      written.push(file)
    }
    const { content, projectId } = exported
    const manifest = {
      version: 1,
      project: projectId,
      content,
      format: run.format,
      from: run.intervalFrom.toISOString(),
      to: run.intervalTo.toISOString(),
      files: written,
    }
    const text = Readable.from([Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)])
    await target.write(`${content}/${prefix}-manifest.json`, text, signal)
    return true
  }

  return {
    /**
     * One turn of an export that this process has claimed.
     * @param onFailure is given what a run failed with, and what to keep of it.
     */
    async work(exportId: number, signal: AbortSignal, toReason: (failure: unknown) => string): Promise<void> {
      const found = await findWork(exportId)
      if (found === null) return
      try {
        const work = await cut(found)
        if (work === null) return
        const { exported, run } = work
        const isWhole = await write(work, targets.open(exported), signal)
        const last = run.cuts?.at(-1)
        const afterBatch = last !== undefined && "until" in last ? last.until : null
        if (isWhole) await store.complete(run, exportId, afterBatch, now())
        else await store.postpone(exported, now())
      } catch (failure) {
        // Who stops, or has lost the claim, says nothing of the run.
        if (signal.aborted) return
        await store.fail(found.run.id, toReason(failure), now())
      }
    },
  }
}
