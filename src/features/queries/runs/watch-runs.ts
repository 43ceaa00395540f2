import { AppError } from "../../../kernel/errors.js"
import { type Stream, streamUntilLeft } from "../../../kernel/stream-until-left.js"
import type { RunName } from "./postgres-query-run.store.js"
import { isFinal, type QueryRun } from "./query-run.js"
import type { RunFeeds } from "./run-feeds.js"

/**
 * Follows runs as one stream: the present state of each first, then later ones; it ends once each run has reached a
 * final state or is no longer known. A reader that is slower than the changes gets the newest of each run.
 * @throws AppError not_found for a run that is not known.
 */
export async function watchRuns(feeds: RunFeeds, names: readonly RunName[]): Promise<Stream<QueryRun>> {
  const unread = new Map<string, QueryRun>()
  const open = new Set(names.map(({ id }) => id))
  let unknown: RunName | null = null
  let wake = (): void => undefined

  const following = await feeds.follow(names, (run, name) => {
    if (!open.has(name.id)) return
    if (run === null) unknown ??= name
    else unread.set(name.id, run)
    if (run === null || isFinal(run.state)) open.delete(name.id)
    wake()
  })

  const leave = (): Promise<void> => {
    open.clear()
    unread.clear()
    wake()
    return following.leave()
  }

  async function* read(): AsyncGenerator<QueryRun> {
    while (open.size + unread.size > 0) {
      for (const [id, run] of unread) {
        unread.delete(id)
        yield run
      }
      if (open.size > 0 && unread.size === 0) await new Promise<void>((resolve) => (wake = resolve))
    }
  }

  try {
    await following.hasPresent
    if (unknown !== null) throw unknownRun(unknown)
  } catch (failure) {
    await leave()
    throw failure
  }
  return streamUntilLeft(read(), leave)
}

/** The fault of whoever names a run that is not known, or known no more. */
export const unknownRun = ({ projectId, id }: RunName): AppError =>
  new AppError("not_found", { detail: `Query ${id} not found for team ${projectId}` })
