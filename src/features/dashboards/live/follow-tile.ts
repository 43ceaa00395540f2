import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { type Stream, streamUntilLeft } from "../../../kernel/stream-until-left.js"
import { waitAtMost } from "../../../kernel/wait-at-most.js"
import type { QueriesService, QueryObject, QueryOutcome, RefreshMode } from "../../queries/index.js"

/** Renewing a tile takes at most a tenth of the time, so that a dashboard on a wall does not keep the engine busy. */
const PAUSE_PER_RUN = 9

/** A tile that runs a query. */
export interface RunningTile {
  readonly tileId: string
  readonly query: QueryObject
}

/** What a tile has come to: an outcome of its query, or what that was refused with. */
export interface TileOutcome extends RunningTile {
  readonly outcome: QueryOutcome | null
  readonly fault: AppError | null
}

export interface FollowTileDependencies {
  readonly queries: Pick<QueriesService, "runAndFollow" | "watchInsights">
}

/** A stream that is followed meanwhile. */
type Followed = Pick<AsyncIterableIterator<unknown>, "return">

/**
 * Runs a tile and follows it until the reader leaves: by `refresh` first, then again whenever events have been stored that its
 * answer cannot have. A query that is refused is tried again likewise.
 */
export function followTile(
  { queries }: FollowTileDependencies,
  projectId: ProjectId,
  tile: RunningTile,
  refresh: RefreshMode,
): Stream<TileOutcome> {
  const { query } = tile
  const followed = new Set<Followed>()
  const left = Promise.withResolvers<void>()
  let hasLeft = false

  /** Ends with the reader, who may have left while the stream was being opened. */
  const follow = async <Opened extends Followed>(opening: Promise<Opened>): Promise<Opened> => {
    const stream = await opening
    if (hasLeft) await stream.return?.()
    else followed.add(stream)
    return stream
  }

  async function* run(mode: RefreshMode): AsyncGenerator<TileOutcome> {
    try {
      const outcomes = await follow(queries.runAndFollow(projectId, { query, clientQueryId: null, refresh: mode }))
      for await (const outcome of outcomes) yield { ...tile, outcome, fault: null }
      followed.delete(outcomes)
    } catch (fault) {
      if (!(fault instanceof AppError)) throw fault
      yield { ...tile, outcome: null, fault }
    }
  }

  async function* runAgain(): AsyncGenerator<TileOutcome> {
    const changes = await follow(queries.watchInsights(projectId, [query]))
    let mode = refresh
    do {
      const startedAtMs = performance.now()
      yield* run(mode)
      await waitAtMost((performance.now() - startedAtMs) * PAUSE_PER_RUN, left.promise)
      mode = "force_async"
    } while ((await changes.next()).done !== true)
  }

  return streamUntilLeft(runAgain(), () => {
    hasLeft = true
    left.resolve()
    return Promise.all([...followed].map((stream) => stream.return?.()))
  })
}
