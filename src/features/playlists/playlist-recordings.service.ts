import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import { type ProjectId, storedSessionIds, toComparedSessionId } from "../../kernel/ids.js"
import { toStorableText } from "../../kernel/json.js"
import type { OffsetWindow, Page } from "../../kernel/paging.js"
import { requireLength } from "../../kernel/text-length.js"
import type { Recording, RecordingsService } from "../recordings/index.js"
import type { PlaylistRepository } from "./playlist.repository.js"
import type { PlaylistsService } from "./playlists.service.js"

const MAX_SESSION_ID_LENGTH = 200
/** Sessions of one call (`docs/contract/recordings.md#recordings-of-a-playlist`). */
const MAX_BULK = 20

export interface PlaylistRecordingsDependencies {
  readonly playlists: Pick<PlaylistsService, "get">
  readonly repository: Pick<PlaylistRepository, "attach" | "detach" | "listAttached">
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
    const sessionIds = await repository.listAttached(id)
    return recordings.list(projectId, { sessionIds }, undefined, window)
  }

  /**
   * Attaches sessions, whether or not they were ever recorded. May be repeated. Gives how many were not attached before.
   * @throws AppError max_length, invalid_input.
   */
  async attach(projectId: ProjectId, shortId: string, sessionIds: readonly string[]): Promise<number> {
    const { playlists, repository, clock } = this.dependencies
    const { id } = await playlists.get(projectId, shortId)
    return repository.attach(
      id,
      [...new Set(checkSessionIds(sessionIds).map(toComparedSessionId))],
      new Date(clock.now()),
    )
  }

  /** Detaches sessions; one that is not attached is no fault. Gives how many were attached. @throws AppError invalid_input. */
  async detach(projectId: ProjectId, shortId: string, sessionIds: readonly string[]): Promise<number> {
    const { playlists, repository } = this.dependencies
    const { id } = await playlists.get(projectId, shortId)
    return repository.detach(id, storedSessionIds(checkSessionIds(sessionIds)))
  }
}

function checkSessionIds(sessionIds: readonly string[]): string[] {
  if (sessionIds.length < 1 || sessionIds.length > MAX_BULK) {
    const detail = `Write 1 to ${MAX_BULK} ids of recordings.`
    throw new AppError("invalid_input", { attr: "session_recording_ids", detail })
  }
  for (const id of sessionIds) requireLength("sessionRecordingId", id, MAX_SESSION_ID_LENGTH)
  return sessionIds.map(toStorableText)
}
