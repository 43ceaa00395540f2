import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import { createPeriodicTask } from "../../../kernel/periodic-task.js"
import type { Logger } from "../../../platform/logger/logger.js"
import { TargetFault } from "../targets/target.types.js"
import type { ExportRunStore } from "./export-runs.store.js"
import type { createRunWriter } from "./write-run.js"

const LOOK_EVERY_MS = 5_000
/** Exports at once in this process: one whose bucket is slow does not hold up all others. */
const LANES = 2

export interface ExportWorkDependencies {
  readonly store: Pick<ExportRunStore, "listDue" | "claim">
  readonly writer: ReturnType<typeof createRunWriter>
  readonly clock: Clock
  readonly logger: Logger
}

/** Writes what is due, once it is started, beside other processes that do the same. */
export function createExportWork({ store, writer, clock, logger }: ExportWorkDependencies) {
  const stopping = new AbortController()

  /** What those who made the export are told. */
  const toReason =
    (exportId: number) =>
    (failure: unknown): string => {
      if (failure instanceof TargetFault) return failure.message
      logger.error("a scheduled export failed", { export: exportId, err: failure })
      if (failure instanceof AppError) return failure.message
      return "The server failed; its log says more."
    }

  /** Works on all exports that are due, one turn each. Rejects when PostgreSQL is away. */
  async function workOnDue(): Promise<void> {
    const due = (await store.listDue(new Date(clock.now()))).values()
    const work = async (): Promise<void> => {
      for (const id of due) {
        if (stopping.signal.aborted) return
        await store.claim(id, (lost) => {
          const signal = AbortSignal.any([stopping.signal, lost])
          return writer.work(id, signal, toReason(id))
        })
      }
    }
    await Promise.all(Array.from({ length: LANES }, work))
  }

  const looks = createPeriodicTask(LOOK_EVERY_MS, async () => {
    try {
      await workOnDue()
    } catch (failure) {
      // That a store is away is logged elsewhere.
      logger.debug("scheduled exports are written later", { err: failure })
    }
  })
  return {
    workOnDue,
    start: looks.start,
    /** Breaks off what is being written: another process, or the next start, goes on behind the last file. */
    stop: (): Promise<void> => {
      stopping.abort()
      return looks.stop()
    },
  }
}
