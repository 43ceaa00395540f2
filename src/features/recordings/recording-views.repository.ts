import type { Records } from "../../platform/postgres/records.js"
import { RecordingViewEntity } from "./recording-view.entity.js"
import type { RecordingViews } from "./recordings.types.js"

const FIRST_VIEWER_FIRST = { viewedAt: "asc", userId: "asc" } as const

/** Views in PostgreSQL. Methods throw AppError store_unavailable when it is away. */
export function createRecordingViews(records: Records): RecordingViews {
  return {
    mark: (projectId, sessionIds, userId, viewedAt) =>
      records.write(async (em) => {
        const views = sessionIds.map((sessionId) => ({ projectId, sessionId, userId, viewedAt }))
        await em.upsertMany(RecordingViewEntity, views, { onConflictAction: "ignore" })
      }),
    unmark: (projectId, sessionIds, userId) =>
      records.write(async (em) => {
        await em.nativeDelete(RecordingViewEntity, { projectId, sessionId: { $in: [...sessionIds] }, userId })
      }),
    deleteAll: (projectId, sessionIds) =>
      records.write(async (em) => {
        await em.nativeDelete(RecordingViewEntity, { projectId, sessionId: { $in: [...sessionIds] } })
      }),
    findViewers: (projectId, sessionIds) =>
      records.read(async (em) => {
        const where = { projectId, sessionId: { $in: [...sessionIds] } }
        const views = await em.find(RecordingViewEntity, where, { orderBy: FIRST_VIEWER_FIRST })
        const bySession = Map.groupBy(views, ({ sessionId }) => sessionId)
        return new Map([...bySession].map(([sessionId, own]) => [sessionId, own.map(({ userId }) => userId)]))
      }),
  }
}
