import { AppError } from "../../../kernel/errors.js"
import { QueryReader } from "../insights/query-reader.js"
import type { QueryKind } from "../queries.types.js"
import type { RecordingLister } from "../recording-lister.types.js"
import { toAnswer } from "./answer.js"
import { readPage } from "./read-page.js"

/**
 * Kind `RecordingsQuery`: the list of recordings as REST has it (`docs/contract/queries.md#recordingsquery-as-a-kind`).
 */
export function createRecordingsQueryKind(recordings: RecordingLister): QueryKind {
  return {
    kind: "RecordingsQuery",
    // Recordings grow while they are watched.
    isLive: true,
    async run(query, { projectId, mayRead }) {
      const page = readPage(new QueryReader(query, "RecordingsQuery"), { defaultLimit: 50, maxLimit: 1000 })
      await mayRead
      const { items, totalCount } = await inQuery(() => recordings.list(projectId, query, page))
      const hasNext = page.offset + items.length < totalCount
      return toAnswer([...items], [], { has_next: hasNext, hasMore: hasNext, count: totalCount, ...page })
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
