import { setImmediate as nextTurn } from "node:timers/promises"
import type { Awaitable } from "../../kernel/awaitable.js"
import { AppError } from "../../kernel/errors.js"
import type { Json } from "../../kernel/json.js"
import type {
  AcceptedEvent,
  IngestionWarning,
  IngestionWarnings,
  IngestLog,
  ProjectKeyDirectory,
  ProjectRef,
} from "./capture.types.js"
import { applyCaptureRules, isLimited, isSnapshotRestricted } from "./rules/apply-capture-rules.js"
import { captureRulesOf } from "./rules/read-capture-rules.js"
import { groupSnapshots } from "./snapshots/group-snapshots.js"
import { type DropReason, type StepContext, takeSteps, type WarningReason } from "./steps/index.js"
import { toWarning } from "./to-warning.js"

/** A body of 100 MiB holds 200,000 events; other requests are answered in between. */
const ITEMS_PER_TURN = 2_000
const LOOKUP_RETRY_AFTER_SECONDS = 5

export interface CaptureDependencies {
  readonly projectKeys: ProjectKeyDirectory
  readonly ingestLog: IngestLog
  readonly warnings: IngestionWarnings
  /** Gives a new UUIDv7. */
  readonly newUuid: () => string
}

export interface CaptureRequest {
  /** A project key of good form (`checkProjectKey`). */
  readonly token: string
  readonly items: readonly Json[]
  readonly sentAtMs: number | null
  readonly historicalMigration: boolean
  readonly clientIp: string
  readonly receivedAtMs: number
  /** Name of an event that has none; null when such an event is dropped. */
  readonly defaultEventName: string | null
  /** Events of the request that the rules of its path dropped before; they are only reported. */
  readonly droppedBefore?: readonly IngestionWarning[]
}

export interface SnapshotRequest
  extends Omit<CaptureRequest, "defaultEventName" | "historicalMigration" | "droppedBefore"> {
  readonly userAgent: string | null
}

export interface CaptureOutcome {
  /** Events that are on disk. */
  readonly accepted: number
  /** `index` counts the items of the request from 0. */
  readonly dropped: readonly { readonly index: number; readonly reason: DropReason }[]
  readonly warnings: readonly { readonly index: number; readonly reason: WarningReason }[]
  /** What the project has used up, as clients are told it; absent when nothing. */
  readonly quotaLimited?: readonly string[]
}

/** Takes events in: they are checked one by one, and those that are kept are on disk before the promise resolves. */
export class CaptureService {
  constructor(private readonly dependencies: CaptureDependencies) {}

  /** @throws AppError invalid_project_key (401), store_unavailable (503) when key or log cannot be reached. */
  async capture(request: CaptureRequest): Promise<CaptureOutcome> {
    const known = this.projectOf(request.token)
    const project = known instanceof Promise ? await known : known
    const context: StepContext = {
      receivedAtMs: request.receivedAtMs,
      sentAtMs: request.sentAtMs,
      historicalMigration: request.historicalMigration,
      defaultEventName: request.defaultEventName,
      newUuid: this.dependencies.newUuid,
    }
    const rules = project.settings === undefined ? null : captureRulesOf(project.settings)
    const events: AcceptedEvent[] = []
    const dropped: { index: number; reason: DropReason }[] = []
    const warnings: { index: number; reason: WarningReason }[] = []
    for (let index = 0; index < request.items.length; index++) {
      if (index > 0 && index % ITEMS_PER_TURN === 0) await nextTurn()
      const result = takeSteps(request.items[index] as Json, context)
      if (result.kept === null) {
        dropped.push({ index, reason: result.reason })
        continue
      }
      const ruled = rules === null ? result.kept : applyCaptureRules(result.kept, rules, request.receivedAtMs)
      if (typeof ruled === "string") dropped.push({ index, reason: ruled })
      else {
        events.push(ruled)
        for (const reason of result.warnings) warnings.push({ index, reason })
      }
    }
    await this.append(project, request, request.historicalMigration, events)
    const outcome = { accepted: events.length, dropped, warnings }
    this.report(project, request, outcome)
    return outcome
  }

  /**
   * Takes in session-replay snapshots, as one event `$snapshot_items` for each session and window in the request.
   * @throws AppError malformed_data (400) for snapshots without session or data, and as `capture`.
   */
  async captureSnapshots(request: SnapshotRequest): Promise<CaptureOutcome> {
    const known = this.projectOf(request.token)
    const project = known instanceof Promise ? await known : known
    const rules = project.settings === undefined ? null : captureRulesOf(project.settings)
    if (rules !== null && isLimited(rules, "recordings", request.receivedAtMs)) {
      const outcome = { accepted: 0, dropped: allOf(request.items, "quota_exceeded"), warnings: [] }
      this.report(project, request, outcome)
      return { ...outcome, quotaLimited: ["recordings"] }
    }
    const { events, dropped } = groupSnapshots(request.items, {
      receivedAtMs: request.receivedAtMs,
      sentAtMs: request.sentAtMs,
      historicalMigration: false,
      defaultEventName: null,
      newUuid: this.dependencies.newUuid,
      userAgent: request.userAgent,
      ...(rules !== null && { isRestricted: (draft) => isSnapshotRestricted(draft, rules) }),
    })
    await this.append(project, request, false, events)
    const outcome = { accepted: request.items.length - dropped.length, dropped, warnings: [] }
    this.report(project, request, outcome)
    return outcome
  }

  /** The key's project; at once for a key that was used lately. */
  private projectOf(token: string): Awaitable<ProjectRef> {
    const found = this.dependencies.projectKeys.find(token)
    return found instanceof Promise ? found.then(requireProject, refuseLookUp) : requireProject(found)
  }

  private append(
    project: ProjectRef,
    request: Pick<CaptureRequest, "receivedAtMs" | "clientIp">,
    historicalMigration: boolean,
    events: readonly AcceptedEvent[],
  ): Promise<void> {
    if (events.length === 0) return Promise.resolve()
    const { receivedAtMs, clientIp } = request
    const batch = { projectId: project.id, receivedAtMs, clientIp, historicalMigration, events }
    return this.dependencies.ingestLog.append(batch)
  }

  private report(
    project: ProjectRef,
    { items, droppedBefore = [] }: Pick<CaptureRequest, "items" | "droppedBefore">,
    { dropped, warnings }: CaptureOutcome,
  ): void {
    if (dropped.length + warnings.length + droppedBefore.length === 0) return
    this.dependencies.warnings.record(project.id, [
      ...droppedBefore,
      ...dropped.map(({ index, reason }) => toWarning("dropped", reason, items[index] as Json)),
      ...warnings.map(({ index, reason }) => toWarning("changed", reason, items[index] as Json)),
    ])
  }
}

function requireProject(project: ProjectRef | null): ProjectRef {
  if (project === null) throw new AppError("invalid_project_key", { attr: "api_key" })
  return project
}

function refuseLookUp(cause: unknown): never {
  const detail = "The project key cannot be looked up just now. Please retry."
  throw new AppError("store_unavailable", { detail, retryAfterSeconds: LOOKUP_RETRY_AFTER_SECONDS, cause })
}

const allOf = (items: readonly Json[], reason: DropReason): CaptureOutcome["dropped"] =>
  items.map((_, index) => ({ index, reason }))
