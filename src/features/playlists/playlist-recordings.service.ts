import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import { type ProjectId, storedSessionIds, toComparedSessionId } from "../../kernel/ids.js"
import { toStorableText } from "../../kernel/json.js"
import { orderInMemory } from "../../kernel/order-in-memory.js"
import { EMPTY_PAGE, firstRows, type ListPage, mapPage, type PageRequest } from "../../kernel/paging.js"
import { readPage } from "../../kernel/read-page.js"
import { requireLength } from "../../kernel/text-length.js"
import type { Recording, RecordingsService } from "../recordings/index.js"
import { toRecordingsQuery } from "./match-counts/to-recordings-query.js"
import type { PlaylistRepository } from "./playlist.repository.js"
import { toKind } from "./playlist-kind.js"
import type { PlaylistsService } from "./playlists.service.js"

const MAX_SESSION_ID_LENGTH = 200
/** Sessions of one call (`docs/contract/recordings.md#recordings-of-a-playlist`). */
const MAX_BULK = 20

/** A recording that is attached to a playlist; the id as it is compared. */
interface AttachedRecording {
  readonly recording: Recording
  readonly sessionId: string
  readonly attachedAt: Date
}

const NEWEST_ATTACHMENT_FIRST = [
  { property: "attachedAt", kind: "time", isDescending: true },
  { property: "sessionId", kind: "text", isDescending: true },
] as const

/** Use cases of the recordings of a playlist. Each throws AppError not_found for a playlist that `get` does not find. */
export class PlaylistRecordingsService {
  constructor(
    private readonly playlists: Pick<PlaylistsService, "get">,
    private readonly repository: Pick<PlaylistRepository, "attach" | "detach" | "listAttached">,
    private readonly recordings: Pick<RecordingsService, "list" | "listByQuery">,
    private readonly clock: Clock,
  ) {}

  /** Recordings attached to a playlist, newest attachment first, whenever they started; ids without data are left out. */
  async list(projectId: ProjectId, shortId: string, request: PageRequest): Promise<ListPage<Recording>> {
    const { id } = await this.playlists.get(projectId, shortId)
    const stored = await this.repository.listAttached(id)
    const times = new Map(stored.map((one) => [toComparedSessionId(one.sessionId), one.attachedAt]))
    const attached = [...times].map(([sessionId, attachedAt]) => ({ sessionId, attachedAt }))
    const listed = orderInMemory(NEWEST_ATTACHMENT_FIRST, attached)
    const readRecordings = (sessionIds: readonly string[], page: PageRequest) =>
      this.recordings.list(projectId, { sessionIds }, undefined, page)
    const page = await readPage<AttachedRecording>(
      {
        order: NEWEST_ATTACHMENT_FIRST,
        // Which of them were recorded the other store alone knows, so all that lie beyond the key are looked for there.
        read: async ({ from, isBackward, limit, offset, isCounted }) => {
          const beyond = await listed.read({ from, isBackward, limit: attached.length, offset: 0 })
          const sessionIds = beyond.rows.map(({ sessionId }) => sessionId)
          const found = await readRecordings(sessionIds, { ...firstRows(limit), offset, isCounted: isCounted === true })
          const rows = found.items.flatMap((recording): AttachedRecording[] => {
            const sessionId = toComparedSessionId(recording.sessionId)
            const attachedAt = times.get(sessionId)
            return attachedAt === undefined ? [] : [{ recording, sessionId, attachedAt }]
          })
          return { rows, ...(isCounted === true && from === null && { total: await found.countAll() }) }
        },
        count: async () => {
          const sessionIds = attached.map(({ sessionId }) => sessionId)
          return (await readRecordings(sessionIds, firstRows(1))).countAll()
        },
      },
      request,
    )
    return mapPage(page, ({ recording }) => recording)
  }

  /**
   * Recordings that the saved filters of a playlist find now, in the order that these say; none for a collection.
   * @throws AppError invalid_input for filters that no list of recordings has.
   */
  async listMatches(projectId: ProjectId, shortId: string, request: PageRequest): Promise<ListPage<Recording>> {
    const { filters } = await this.playlists.get(projectId, shortId)
    if (toKind(filters) === "collection") return EMPTY_PAGE
    const query = toRecordingsQuery(filters)
    if (query === null)
      throw new AppError("invalid_input", { attr: "filters", detail: "No list of recordings has these filters." })
    return this.recordings.listByQuery(projectId, query, request)
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
