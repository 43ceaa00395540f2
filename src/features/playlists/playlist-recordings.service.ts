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

/** Use cases of the recordings of a playlist. Each throws AppError not_found for a playlist that `get` does not find. */
export class PlaylistRecordingsService {
  constructor(
    private readonly playlists: Pick<PlaylistsService, "get">,
    private readonly repository: Pick<PlaylistRepository, "attach" | "detach" | "listAttached">,
    private readonly recordings: Pick<RecordingsService, "list">,
    private readonly clock: Clock,
  ) {}

  /** Recordings attached to a playlist, newest attachment first, whenever they started; ids without data are left out. */
  async list(projectId: ProjectId, shortId: string, window: OffsetWindow): Promise<Page<Recording>> {
    const { id } = await this.playlists.get(projectId, shortId)
    const sessionIds = await this.repository.listAttached(id)
    return this.recordings.list(projectId, { sessionIds }, undefined, window)
  }

  /**
   * Attaches sessions, whether or not they were ever recorded. May be repeated. Gives how many were not attached before.
   * @throws AppError max_length, invalid_input.
   */
  async attach(projectId: ProjectId, shortId: string, sessionIds: readonly string[]): Promise<number> {
    const { id } = await this.playlists.get(projectId, shortId)
    const wanted = new Set(checkSessionIds(sessionIds).map(toComparedSessionId))
    return this.repository.attach(id, [...wanted], new Date(this.clock.now()))
  }

  /** Detaches sessions; one that is not attached is no fault. Gives how many were attached. @throws AppError invalid_input. */
  async detach(projectId: ProjectId, shortId: string, sessionIds: readonly string[]): Promise<number> {
    const { id } = await this.playlists.get(projectId, shortId)
    return this.repository.detach(id, storedSessionIds(checkSessionIds(sessionIds)))
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
