import { AppError } from "../../../kernel/errors.js"
import { QueryReader } from "../insights/query-reader.js"
import type { QueryKind } from "../queries.types.js"
import type { RecordingLister } from "../recording-lister.types.js"
import { answerOf } from "./answer.js"

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 1000

/** Kind `RecordingsQuery`: the list of recordings as REST has it (`reference/management.md` 4.1 and 7.8). */
export function createRecordingsQueryKind(recordings: RecordingLister): QueryKind {
  return {
    kind: "RecordingsQuery",
    // Recordings grow while they are watched.
    isLive: true,
    async run(query, { projectId, mayRead }) {
      const reader = new QueryReader(query, "RecordingsQuery")
      const limit = reader.integer("limit", { min: 1, max: MAX_LIMIT }) ?? DEFAULT_LIMIT
      const offset = reader.integer("offset", { min: 0 }) ?? 0
      await mayRead
      const { items, totalCount } = await inQuery(() => recordings.list(projectId, query, { limit, offset }))
      const hasNext = offset + items.length < totalCount
      return answerOf([...items], [], { has_next: hasNext, hasMore: hasNext, count: totalCount, limit, offset })
    },
  }
}

/** Faults of the list name its fields; here they stand inside the query. */
async function inQuery<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.details.attr == null) throw failure
    throw new AppError(failure.code, { ...failure.details, attr: `query__${failure.details.attr}`, cause: failure })
  }
}
