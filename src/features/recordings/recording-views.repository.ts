import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { Records } from "../../platform/postgres/records.js"
import { RecordingViewEntity } from "./recording-view.entity.js"

const FIRST_VIEWER_FIRST = { viewedAt: "asc", userId: "asc" } as const

/** Who has marked which recording as viewed. */
export type RecordingViews = ReturnType<typeof createRecordingViews>

/** Views in PostgreSQL. Methods throw AppError store_unavailable when it is away. */
export function createRecordingViews(records: Records) {
  /** Of one user, or of all. */
  const remove = (projectId: ProjectId, sessionIds: readonly string[], user: { readonly userId?: UserId }) =>
    records.write((em) =>
      em.nativeDelete(RecordingViewEntity, { projectId, sessionId: { $in: [...sessionIds] }, ...user }),
    )
  return {
    mark: (projectId: ProjectId, sessionIds: readonly string[], userId: UserId, viewedAt: Date) =>
      records.write(async (em) => {
        const views = sessionIds.map((sessionId) => ({ projectId, sessionId, userId, viewedAt }))
        await em.upsertMany(RecordingViewEntity, views, { onConflictAction: "ignore" })
      }),
    unmark: (projectId: ProjectId, sessionIds: readonly string[], userId: UserId) =>
      remove(projectId, sessionIds, { userId }),
    /** Deletes who viewed sessions that are no more. */
    deleteAll: (projectId: ProjectId, sessionIds: readonly string[]) => remove(projectId, sessionIds, {}),
    /** Users by session, the first viewer first; sessions nobody viewed are absent. */
    findViewers: (projectId: ProjectId, sessionIds: readonly string[]): Promise<Map<string, UserId[]>> =>
      records.read(async (em) => {
        const where = { projectId, sessionId: { $in: [...sessionIds] } }
        const views = await em.find(RecordingViewEntity, where, { orderBy: FIRST_VIEWER_FIRST })
        const bySession = Map.groupBy(views, ({ sessionId }) => sessionId)
        return new Map([...bySession].map(([sessionId, own]) => [sessionId, own.map(({ userId }) => userId)]))
      }),
  }
}
