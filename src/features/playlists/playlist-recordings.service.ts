import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import { toStorableText } from "../../kernel/json.js"
import type { OffsetWindow, Page } from "../../kernel/paging.js"
import type { Recording, RecordingsService } from "../recordings/index.js"
import type { PlaylistsService } from "./playlists.service.js"
import type { PlaylistRepository } from "./playlists.types.js"

const MAX_SESSION_ID_LENGTH = 200

export interface PlaylistRecordingsDependencies {
  readonly playlists: Pick<PlaylistsService, "get">
  readonly repository: Pick<PlaylistRepository, "attach" | "detach" | "attachedTo">
  readonly recordings: Pick<RecordingsService, "list">
  readonly clock: Clock
}

/** Use cases of the recordings of a playlist. Each throws AppError not_found for a playlist that `get` does not find. */
export class PlaylistRecordingsService {
  constructor(private readonly dependencies: PlaylistRecordingsDependencies) {}

  /** Recordings attached to a playlist, newest attachment first, whenever they started; ids without data are left out. */
  async list(projectId: ProjectId, shortId: string, window: OffsetWindow): Promise<Page<Recording>> {
    const { playlists, repository, recordings } = this.dependencies
    const { id } = await playlists.get(projectId, shortId)
    const sessionIds = await repository.attachedTo(id)
    return recordings.list(projectId, { sessionIds }, undefined, window)
  }

  /** Attaches a session, whether or not it was ever recorded. May be repeated. @throws AppError max_length. */
  async attach(projectId: ProjectId, shortId: string, sessionId: string): Promise<void> {
    const { playlists, repository, clock } = this.dependencies
    const { id } = await playlists.get(projectId, shortId)
    if (sessionId.length > MAX_SESSION_ID_LENGTH) {
      const detail = `Ensure this field has no more than ${MAX_SESSION_ID_LENGTH} characters.`
      throw new AppError("max_length", { attr: "sessionRecordingId", detail })
    }
    await repository.attach(id, toStorableText(sessionId), new Date(clock.now()))
  }

  /** Detaches a session; one that is not attached is no fault. */
  async detach(projectId: ProjectId, shortId: string, sessionId: string): Promise<void> {
    const { playlists, repository } = this.dependencies
    const { id } = await playlists.get(projectId, shortId)
    await repository.detach(id, toStorableText(sessionId))
  }
}
