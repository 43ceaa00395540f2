import type { HogqlScope } from "../../hogql/index.js"
import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import { asPersonId, isUuid, type ProjectId, storedSessionIds, type UserId } from "../../kernel/ids.js"
import { isJsonObject, type Json } from "../../kernel/json.js"
import { EMPTY_PAGE, firstRows, type ListPage, mapPage, type PageRequest } from "../../kernel/paging.js"
import { DAY_MS } from "../../kernel/retention-days.js"
import { splitByLength } from "../../kernel/split-by-length.js"
import type { PersonDirectory } from "../persons/index.js"
import { readRecordingsQuery } from "./filter/read-recordings-query.js"
import { needsConditions, toSessionTest } from "./filter/to-session-test.js"
import type { RecordingQuery } from "./recording-sql.js"
import type { RecordingViews } from "./recording-views.repository.js"
import type { RecordingStore } from "./recordings.store.js"
import type {
  ProjectReader,
  Recording,
  RecordingFilter,
  RecordingOrder,
  SnapshotSource,
  StoredRecording,
} from "./recordings.types.js"
import { toListValues } from "./replay/list-values.js"
import { toKeptFromMs } from "./retention.js"

const DEFAULT_WINDOW_MS = 3 * DAY_MS
const NEWEST_FIRST: RecordingOrder = { by: "start_time", descending: true }
const MAX_BLOBS_PER_CALL = 20
/** Recordings of one call that marks or deletes several (`docs/contract/recordings.md#single-recordings`). */
const MAX_BULK = 20
const MAX_DELETED_AT_ONCE = 1000
/** Of the ids in one statement: servers take parameters of up to 128 KiB. */
const MAX_PIECE_CHARACTERS = 32 * 1024
/** `docs/contract/recordings.md#recording-fields` */
const MAX_START_URL_LENGTH = 512
const LATEST_MS = Date.UTC(2260, 0)

/** What a caller notes about a recording. */
export interface RecordingMarks {
  readonly viewed?: boolean | null
  readonly analyzed?: boolean | null
}

const notFound = (): AppError => new AppError("not_found", { detail: "Recording not found" })

/** Use cases of recordings. */
export class RecordingsService {
  /** @param readScope gives what HogQL means in a project just now, for conditions on properties. */
  constructor(
    private readonly store: RecordingStore,
    private readonly views: RecordingViews,
    private readonly projects: ProjectReader,
    private readonly persons: Pick<PersonDirectory, "listDistinctIds">,
    private readonly readScope: (projectId: ProjectId) => Promise<HogqlScope>,
    private readonly clock: Clock,
  ) {}

  /**
   * Sessions that started within the last three days, newest first, unless asked otherwise; never those that the project no
   * longer keeps. @throws AppError invalid_input naming the field.
   */
  async list(
    projectId: ProjectId,
    filter: RecordingFilter,
    order: RecordingOrder | undefined,
    page: PageRequest,
  ): Promise<ListPage<Recording>> {
    const query = await this.toQuery(projectId, filter, order)
    if (query.sessionIds?.length === 0 || query.distinctIds?.length === 0) return EMPTY_PAGE
    return this.read(projectId, query, page, true)
  }

  /** The same, for the fields of a `RecordingsQuery` (`readRecordingsQuery`). @throws AppError invalid_input naming the field. */
  async listByQuery(projectId: ProjectId, recordingsQuery: Json, page: PageRequest): Promise<ListPage<Recording>> {
    if (!isJsonObject(recordingsQuery))
      throw new AppError("invalid_input", { attr: "recordingsQuery", detail: "Write a JSON object." })
    const { filter, order } = readRecordingsQuery(recordingsQuery, this.clock.now())
    return this.list(projectId, filter, order, page)
  }

  /** @throws AppError not_found when unknown, of another project, deleted or no longer kept. */
  async get(projectId: ProjectId, sessionId: string): Promise<Recording> {
    const query = await this.toQuery(projectId, { sessionIds: [sessionId] }, undefined)
    const [recording] = (await this.read(projectId, query, firstRows(1), false)).items
    if (recording === undefined) throw notFound()
    return recording
  }

  /** Those of these sessions that are shown, in any order. */
  async findMany(projectId: ProjectId, sessionIds: readonly string[]): Promise<readonly Recording[]> {
    const query = await this.toQuery(projectId, { sessionIds }, undefined)
    return (await this.read(projectId, query, firstRows(query.sessionIds?.length ?? 0), false)).items
  }

  /** @throws AppError not_found; required when nothing is marked. */
  async mark(projectId: ProjectId, sessionId: string, userId: UserId, marks: RecordingMarks): Promise<Recording> {
    if (marks.viewed !== true && marks.analyzed !== true)
      throw new AppError("required", { attr: "viewed", detail: "Set viewed or analyzed to true." })
    const recording = await this.get(projectId, sessionId)
    if (marks.viewed === true)
      await this.views.mark(projectId, [recording.sessionId], userId, new Date(this.clock.now()))
    return recording
  }

  /** Marks recordings as viewed by a user, or no longer; gives how many there are of them. @throws AppError invalid_input. */
  async markAll(projectId: ProjectId, sessionIds: readonly string[], userId: UserId, viewed: boolean): Promise<number> {
    const known = await this.findShown(projectId, checkBulk(sessionIds))
    if (viewed) await this.views.mark(projectId, known, userId, new Date(this.clock.now()))
    else await this.views.unmark(projectId, known, userId)
    return known.length
  }

  /** Removes a recording for good; what still arrives of it is not kept. May be repeated. @throws AppError not_found. */
  async delete(projectId: ProjectId, sessionId: string): Promise<void> {
    if ((await this.deleteKnown(projectId, [sessionId])) === 0) throw notFound()
  }

  /** Removes several for good and gives how many there were; unknown ones are passed over. @throws AppError invalid_input. */
  async deleteAll(projectId: ProjectId, sessionIds: readonly string[]): Promise<number> {
    return this.deleteKnown(projectId, checkBulk(sessionIds))
  }

  /**
   * Removes for good every recording with data of any of these distinct ids that began up to a time (at any time when
   * absent), also those that lists no longer show. For the deletion of a person, and to be repeated until nothing is left.
   * @returns whether nothing is left.
   */
  async deleteOfDistinctIds(
    projectId: ProjectId,
    distinctIds: readonly string[],
    begunUntilMs = LATEST_MS,
  ): Promise<boolean> {
    let isGone = true
    for (const piece of splitByLength(distinctIds, MAX_PIECE_CHARACTERS, (id) => id.length))
      for (let last = ""; ; ) {
        const sessionIds = await this.store.findSessions(projectId, piece, begunUntilMs, last, MAX_DELETED_AT_ONCE)
        const next = sessionIds.at(-1)
        if (next === undefined) break
        await this.hide(projectId, sessionIds)
        isGone = false
        last = next
      }
    return isGone || this.store.finishRemoval(projectId)
  }

  /** Stretches of a recording in the order of time. @throws AppError not_found; gone when it was deleted. */
  async sources(projectId: ProjectId, sessionId: string): Promise<SnapshotSource[]> {
    return this.store.sources(projectId, await this.playable(projectId, sessionId))
  }

  /**
   * Lines of JSON of some sources, in the order a player needs.
   * @throws AppError not_found; gone when it was deleted; invalid_input when the keys are no numbers in order or more than 20.
   */
  async lines(projectId: ProjectId, sessionId: string, startKey: string, endKey: string): Promise<string[]> {
    const [first, last] = [toBlobNumber(startKey, "startBlobKey"), toBlobNumber(endKey, "endBlobKey")]
    if (last < first || last - first >= MAX_BLOBS_PER_CALL) {
      const detail = `Ask for 1 to ${MAX_BLOBS_PER_CALL} blobs at once, the first one first.`
      throw new AppError("invalid_input", { attr: "endBlobKey", detail })
    }
    return this.store.lines(projectId, await this.playable(projectId, sessionId), first, last)
  }

  /** The id as it is stored. */
  private async playable(projectId: ProjectId, sessionId: string): Promise<string> {
    const [stored] = await this.findShown(projectId, [sessionId])
    if (stored !== undefined) return stored
    const deleted = await this.findDeleted(projectId, [sessionId])
    throw deleted.length > 0 ? new AppError("gone", { detail: "Recording has been deleted" }) : notFound()
  }

  /** Those of the sessions that lists would show. @throws AppError store_unavailable. */
  async findShown(projectId: ProjectId, sessionIds: readonly string[]): Promise<string[]> {
    const query = await this.toQuery(projectId, { sessionIds }, undefined)
    const limit = query.sessionIds?.length ?? 0
    const { items } = await this.store.list(projectId, query, firstRows(limit))
    return items.map(({ sessionId }) => sessionId)
  }

  private async findDeleted(projectId: ProjectId, sessionIds: readonly string[]): Promise<string[]> {
    const sessions = storedSessionIds(sessionIds).map((sessionId) => ({ projectId, sessionId }))
    return (await this.store.findDeleted(sessions)).map(({ sessionId }) => sessionId)
  }

  private async deleteKnown(projectId: ProjectId, sessionIds: readonly string[]): Promise<number> {
    const existing = await this.findShown(projectId, sessionIds)
    // A deletion that broke off has hidden the session already, and still has to be finished.
    const deleted = await this.findDeleted(projectId, sessionIds)
    const known = [...new Set([...existing, ...deleted])]
    if (known.length > 0) {
      await this.hide(projectId, known)
      await this.store.removeHidden(projectId)
    }
    return known.length
  }

  private async hide(projectId: ProjectId, sessionIds: readonly string[]): Promise<void> {
    await this.store.hide(projectId, sessionIds, this.clock.now())
    await this.views.deleteAll(projectId, sessionIds)
  }

  private async read(
    projectId: ProjectId,
    query: RecordingQuery,
    page: PageRequest,
    isListed: boolean,
  ): Promise<ListPage<Recording>> {
    const found = await this.store.list(projectId, query, page)
    const nowMs = this.clock.now()
    return mapPage(found, (stored) => ({
      ...toShownFields(stored),
      ...toListValues(stored, nowMs),
      projectId,
      isListed,
    }))
  }

  private async toQuery(
    projectId: ProjectId,
    filter: RecordingFilter,
    order: RecordingOrder | undefined,
  ): Promise<RecordingQuery> {
    const { from, to, sessionIds, personUuid, distinctIds } = filter
    const nowMs = this.clock.now()
    const { settings } = await this.projects.get(projectId)
    const keptFromMs = toKeptFromMs(settings, nowMs)
    const wantedFromMs = from?.getTime() ?? nowMs - DEFAULT_WINDOW_MS
    const fromMs = storable(sessionIds === undefined ? Math.max(wantedFromMs, keptFromMs) : keptFromMs)
    const toMs = sessionIds === undefined && to !== undefined ? storable(to.getTime()) : null
    return {
      fromMs,
      toMs,
      sessionIds: sessionIds === undefined ? null : storedSessionIds(sessionIds),
      distinctIds: await this.listDistinctIds(projectId, personUuid, distinctIds),
      test: await this.readTest(projectId, filter, fromMs, toMs),
      order: sessionIds === undefined ? (order ?? NEWEST_FIRST) : null,
    }
  }

  /** Data of a session lies within a day of its start. */
  private async readTest(projectId: ProjectId, filter: RecordingFilter, fromMs: number, toMs: number | null) {
    if (!needsConditions(filter)) return null
    const bounds = { fromMs: fromMs - DAY_MS, toMs: toMs === null ? null : toMs + DAY_MS }
    return toSessionTest(filter, { scope: await this.readScope(projectId), ...bounds })
  }

  /** Ids that a session must have one of: those given, of them those of the person given. */
  private async listDistinctIds(
    projectId: ProjectId,
    personUuid: string | undefined,
    distinctIds: readonly string[] | undefined,
  ): Promise<readonly string[] | null> {
    if (personUuid === undefined) return distinctIds ?? null
    if (!isUuid(personUuid))
      throw new AppError("invalid_input", { attr: "personUuid", detail: "Must be a valid UUID." })
    const personId = asPersonId(personUuid.toLowerCase())
    const own = (await this.persons.listDistinctIds(projectId, [personId])).get(personId) ?? []
    return distinctIds === undefined ? own : own.filter((id) => distinctIds.includes(id))
  }
}

const toShownFields = (stored: StoredRecording) => ({
  ...stored,
  id: stored.sessionId,
  startTime: new Date(stored.startMs),
  endTime: new Date(stored.endMs),
  startUrl: stored.firstUrl?.slice(0, MAX_START_URL_LENGTH) ?? null,
  storage: "object_storage",
})

/** A whole time that the store's type holds, with room for a day before and after. */
const storable = (ms: number): number => Math.min(Math.max(Math.floor(ms), DAY_MS), LATEST_MS)

function checkBulk(sessionIds: readonly string[]): readonly string[] {
  if (sessionIds.length >= 1 && sessionIds.length <= MAX_BULK) return sessionIds
  const detail = `Write 1 to ${MAX_BULK} ids of recordings.`
  throw new AppError("invalid_input", { attr: "session_recording_ids", detail })
}

function toBlobNumber(key: string, attr: string): number {
  if (/^\d{1,9}$/.test(key)) return Number(key)
  throw new AppError("invalid_input", { attr, detail: "A blob key is a whole number." })
}
