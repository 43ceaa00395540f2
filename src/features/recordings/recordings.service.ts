import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import { asPersonId, isUuid, type ProjectId, type UserId } from "../../kernel/ids.js"
import type { OffsetWindow, Page } from "../../kernel/paging.js"
import type { PersonDirectory } from "../persons/index.js"
import type {
  ProjectSettings,
  Recording,
  RecordingFilter,
  RecordingOrder,
  RecordingQuery,
  RecordingStore,
  RecordingViews,
  SnapshotSource,
  StoredRecording,
} from "./recordings.types.js"
import { toListValues } from "./replay/list-values.js"
import { DAY_MS, retentionDays } from "./retention.js"

const DEFAULT_WINDOW_MS = 3 * DAY_MS
const NEWEST_FIRST: RecordingOrder = { by: "start_time", descending: true }
const MAX_BLOBS_PER_CALL = 20
const LATEST_MS = Date.UTC(2260, 0)
const ONLY_ONE: OffsetWindow = { limit: 1, offset: 0 }

export interface RecordingsDependencies {
  readonly store: RecordingStore
  readonly views: RecordingViews
  readonly projects: ProjectSettings
  readonly persons: Pick<PersonDirectory, "distinctIdsOf">
  readonly clock: Clock
}

/** What a caller notes about a recording. */
export interface RecordingMarks {
  readonly viewed?: boolean | null
  readonly analyzed?: boolean | null
}

const notFound = (): AppError => new AppError("not_found", { detail: "Recording not found" })

/** Use cases of recordings. */
export class RecordingsService {
  constructor(private readonly dependencies: RecordingsDependencies) {}

  /**
   * Sessions that started within the last three days, newest first, unless asked otherwise; never those that the project no
   * longer keeps. @throws AppError invalid_input naming the field.
   */
  async list(
    projectId: ProjectId,
    filter: RecordingFilter,
    order: RecordingOrder | undefined,
    window: OffsetWindow,
  ): Promise<Page<Recording>> {
    const query = await this.toQuery(projectId, filter, order)
    if (query.sessionIds?.length === 0 || query.distinctIds?.length === 0) return { items: [], totalCount: 0 }
    return this.read(projectId, query, window, true)
  }

  /** @throws AppError not_found when unknown, of another project, deleted or no longer kept. */
  async get(projectId: ProjectId, sessionId: string): Promise<Recording> {
    const query = await this.toQuery(projectId, { sessionIds: [sessionId] }, undefined)
    const [recording] = (await this.read(projectId, query, ONLY_ONE, false)).items
    if (recording === undefined) throw notFound()
    return recording
  }

  /** @throws AppError not_found; required when nothing is marked. */
  async mark(projectId: ProjectId, sessionId: string, userId: UserId, marks: RecordingMarks): Promise<Recording> {
    if (marks.viewed !== true && marks.analyzed !== true)
      throw new AppError("required", { attr: "viewed", detail: "Set viewed or analyzed to true." })
    const recording = await this.get(projectId, sessionId)
    const { views, clock } = this.dependencies
    if (marks.viewed === true) await views.mark(projectId, sessionId, userId, new Date(clock.now()))
    return recording
  }

  /** Removes a recording for good; what still arrives of it is not kept. May be repeated. @throws AppError not_found. */
  async delete(projectId: ProjectId, sessionId: string): Promise<void> {
    const { store, clock } = this.dependencies
    // A deletion that broke off has hidden the session already, and still has to be finished.
    if (!(await store.wasDeleted(projectId, sessionId))) await this.get(projectId, sessionId)
    await store.delete(projectId, sessionId, clock.now())
  }

  /** Stretches of a recording in the order of time. @throws AppError not_found. */
  async sources(projectId: ProjectId, sessionId: string): Promise<SnapshotSource[]> {
    await this.get(projectId, sessionId)
    return this.dependencies.store.sources(projectId, sessionId)
  }

  /**
   * Lines of JSON of some sources, in the order a player needs.
   * @throws AppError not_found; invalid_input when the keys are no numbers in order or more than 20.
   */
  async lines(projectId: ProjectId, sessionId: string, startKey: string, endKey: string): Promise<string[]> {
    const [first, last] = [toBlobNumber(startKey, "startBlobKey"), toBlobNumber(endKey, "endBlobKey")]
    if (last < first || last - first >= MAX_BLOBS_PER_CALL) {
      const detail = `Ask for 1 to ${MAX_BLOBS_PER_CALL} blobs at once, the first one first.`
      throw new AppError("invalid_input", { attr: "endBlobKey", detail })
    }
    await this.get(projectId, sessionId)
    return this.dependencies.store.lines(projectId, sessionId, first, last)
  }

  private async read(
    projectId: ProjectId,
    query: RecordingQuery,
    window: OffsetWindow,
    isListed: boolean,
  ): Promise<Page<Recording>> {
    const { items, totalCount } = await this.dependencies.store.list(projectId, query, window)
    const nowMs = this.dependencies.clock.now()
    const toRecording = (stored: StoredRecording): Recording => ({
      ...stored,
      ...toListValues(stored, nowMs),
      projectId,
      isListed,
    })
    return { items: items.map(toRecording), totalCount }
  }

  private async toQuery(
    projectId: ProjectId,
    { from, to, sessionIds, personUuid, distinctIds, ...conditions }: RecordingFilter,
    order: RecordingOrder | undefined,
  ): Promise<RecordingQuery> {
    const nowMs = this.dependencies.clock.now()
    const keptFromMs = nowMs - retentionDays(await this.dependencies.projects.settings(projectId)) * DAY_MS
    const wantedFromMs = from?.getTime() ?? nowMs - DEFAULT_WINDOW_MS
    return {
      ...conditions,
      fromMs: sessionIds === undefined ? storable(Math.max(wantedFromMs, keptFromMs)) : storable(keptFromMs),
      toMs: sessionIds === undefined && to !== undefined ? storable(to.getTime()) : null,
      sessionIds: sessionIds === undefined ? null : [...new Set(sessionIds)],
      distinctIds: await this.distinctIdsOf(projectId, personUuid, distinctIds),
      order: sessionIds === undefined ? (order ?? NEWEST_FIRST) : null,
    }
  }

  /** Ids that a session must have one of: those given, of them those of the person given. */
  private async distinctIdsOf(
    projectId: ProjectId,
    personUuid: string | undefined,
    distinctIds: readonly string[] | undefined,
  ): Promise<readonly string[] | null> {
    if (personUuid === undefined) return distinctIds ?? null
    if (!isUuid(personUuid))
      throw new AppError("invalid_input", { attr: "personUuid", detail: "Must be a valid UUID." })
    const personId = asPersonId(personUuid.toLowerCase())
    const own = (await this.dependencies.persons.distinctIdsOf(projectId, [personId])).get(personId) ?? []
    return distinctIds === undefined ? own : own.filter((id) => distinctIds.includes(id))
  }
}

/** A whole time that the store's type holds, with room for a day before and after. */
const storable = (ms: number): number => Math.min(Math.max(Math.floor(ms), DAY_MS), LATEST_MS)

function toBlobNumber(key: string, attr: string): number {
  if (/^\d{1,9}$/.test(key)) return Number(key)
  throw new AppError("invalid_input", { attr, detail: "A blob key is a whole number." })
}
