import DataLoader from "dataloader"
import type { UserId } from "../../kernel/ids.js"
import type { LoaderFactory } from "../../kernel/request-context.js"
import type { Recording, RecordingViews } from "./recordings.types.js"

/** Who has viewed each recording, the first viewer first. */
export type ViewersLoader = LoaderFactory<Recording, readonly UserId[]>

/** Loads who has viewed recordings, many in one read for each project. */
export function createViewersLoader(views: RecordingViews): ViewersLoader {
  return () =>
    new DataLoader<Recording, readonly UserId[], string>(
      async (recordings) => {
        const viewers = new Map<number, Map<string, UserId[]>>()
        for (const [projectId, own] of Map.groupBy(recordings, (recording) => recording.projectId)) {
          const sessionIds = own.map(({ sessionId }) => sessionId)
          viewers.set(projectId, await views.findViewers(projectId, sessionIds))
        }
        return recordings.map(({ projectId, sessionId }) => viewers.get(projectId)?.get(sessionId) ?? [])
      },
      { cacheKeyFn: ({ projectId, sessionId }) => `${projectId} ${sessionId}` },
    )
}
