import type { ProjectId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"

/** Finds recorded sessions for queries of kind `RecordingsQuery`. */
export interface RecordingLister {
  /**
   * Recordings with the keys of REST's list, but for `viewed` and `viewers`: an answer is shared by everybody in the
   * project.
   *
   * @param query fields as `docs/contract/recordings.md#recordings-query` has them
   * @throws AppError naming the field
   */
  list(
    projectId: ProjectId,
    query: JsonObject,
    window: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly items: readonly JsonObject[]; readonly totalCount: number }>
}
