import type { Awaitable } from "../../kernel/awaitable.js"
import type { DecodedText } from "../../kernel/direct-route.types.js"
import { AppError } from "../../kernel/errors.js"
import type { Json } from "../../kernel/json.js"
import { noteProject } from "../../kernel/request-note.js"
import { YieldBudget, yieldToEventLoop } from "../../kernel/yield-to-event-loop.js"
import { readCookielessMode } from "../cookieless/index.js"
import type {
  AcceptedEvent,
  FindPlace,
  IngestBatch,
  IngestionWarning,
  IngestionWarnings,
  IngestLog,
  ProjectKeyDirectory,
  ProjectRef,
} from "./capture.types.js"
import { findTextToLog } from "./log/logged-events.js"
import type { DropReason, WarningReason } from "./reasons.types.js"
import { anonymizesIps } from "./rules/anonymize-ips.js"
import { applyCaptureRules, isLimited, isSnapshotRestricted } from "./rules/apply-capture-rules.js"
import type { CaptureRules } from "./rules/capture-rules.types.js"
import { readCaptureRules } from "./rules/read-capture-rules.js"
import { type GroupedSnapshots, groupSnapshots, isSnapshot } from "./snapshots/group-snapshots.js"
import { runSteps, type StepContext } from "./steps/index.js"
import { toWarning } from "./warnings/to-warning.js"

/** Items whose texts are this long together, and a little for each, are handled in some milliseconds. */
const MAX_BYTES_AT_ONCE = 1024 * 1024
const BYTES_OF_ANY_ITEM = 500
const WARNINGS_AT_ONCE = 5_000
const LOOKUP_RETRY_AFTER_SECONDS = 5
const NONE: readonly IngestionWarning[] = []

export interface CaptureDependencies {
  readonly projectKeys: ProjectKeyDirectory
  readonly ingestLog: IngestLog
  readonly warnings: IngestionWarnings
  /** Gives a new UUIDv7. */
  readonly newUuid: () => string
  /** Asked for projects that keep no addresses. */
  readonly findPlace: FindPlace
}

export interface CaptureRequest {
  /** A project key of good form (`checkProjectKey`). */
  readonly token: string
  readonly items: readonly Json[]
  /** The text that all items were read from; absent when they are made otherwise. */
  readonly text?: DecodedText
  /** How long the text of a request was of which the items are made otherwise; absent when there was none. */
  readonly textBytes?: number
  readonly sentAtMs: number | null
  readonly historicalMigration: boolean
  readonly clientIp: string
  /** The address that limits count by; absent when the server itself asks. */
  readonly senderIp?: string
  readonly receivedAtMs: number
  /** Name of an event that has none; null when such an event is dropped. */
  readonly defaultEventName: string | null
  /** What the rules of its path did to events of the request before; it is only reported. */
  readonly earlierWarnings?: readonly IngestionWarning[]
}

export interface SnapshotRequest extends Omit<CaptureRequest, "text" | "defaultEventName" | "earlierWarnings"> {
  readonly userAgent: string | null
}

export interface CaptureOutcome {
  /** Events that are on disk. */
  readonly accepted: number
  /** `index` counts the items of the request from 0. */
  readonly dropped: readonly { readonly index: number; readonly reason: DropReason }[]
  readonly warnings: readonly { readonly index: number; readonly reason: WarningReason }[]
  /** What the project has used up, as clients read it; absent when nothing. */
  readonly quotaLimited?: readonly string[]
}

/** What became of the items of a request. */
interface ItemOutcomes {
  readonly events: AcceptedEvent[]
  readonly dropped: { readonly index: number; readonly reason: DropReason }[]
  readonly warnings: { readonly index: number; readonly reason: WarningReason }[]
  /** Places of snapshots, which are grouped at the end. */
  readonly snapshots: number[]
}

type KeptEvents = Pick<IngestBatch, "events" | "sent">

/**
 * Takes events in: they are checked one by one, and those that are kept are on disk before the promise resolves. What was sent
 * is let go before the wait for the disk, because the garbage collector copies what outlives it (decision 0020).
 */
export class CaptureService {
  constructor(private readonly dependencies: CaptureDependencies) {}

  /**
   * Takes in events. A `$snapshot` among them becomes part of a recording, as on the path of recordings: it is no event.
   * @throws AppError invalid_project_key (401), rate_limited (429), store_unavailable (503) when key or log cannot be reached; or
   * rejects with it.
   */
  capture(request: CaptureRequest): Promise<CaptureOutcome> {
    const project = this.findProject(request)
    return project instanceof Promise
      ? project.then((found) => this.captureFor(found, request))
      : this.captureFor(project, request)
  }

  /**
   * Takes in session-replay snapshots, as one event `$snapshot_items` for each session and window in the request.
   * @throws AppError malformed_data (400) for snapshots without session or data, and as `capture`.
   */
  async captureSnapshots(request: SnapshotRequest): Promise<CaptureOutcome> {
    const known = this.findProject(request)
    const project = known instanceof Promise ? await known : known
    const rules = readCaptureRules(project.settings)
    if (rules !== null && isLimited(rules, "recordings", request.receivedAtMs)) {
      const outcome = { accepted: 0, dropped: dropAll(request.items, "quota_exceeded"), warnings: [] }
      void this.report(project, toWarnings(request, outcome))
      return { ...outcome, quotaLimited: ["recordings"] }
    }
    const { events, dropped, refusal } = this.group(request, rules)
    if (refusal !== null) throw new AppError("malformed_data", { detail: refusal })
    const outcome = { accepted: request.items.length - dropped.length, dropped, warnings: [] }
    return this.finish(project, request, { events }, outcome)
  }

  private group(request: Omit<SnapshotRequest, "token" | "clientIp">, rules: CaptureRules | null): GroupedSnapshots {
    return groupSnapshots(request.items, {
      receivedAtMs: request.receivedAtMs,
      sentAtMs: request.sentAtMs,
      historicalMigration: request.historicalMigration,
      defaultEventName: null,
      newUuid: this.dependencies.newUuid,
      userAgent: request.userAgent,
      ...(rules !== null && { isRestricted: (draft) => isSnapshotRestricted(draft, rules) }),
    })
  }

  private captureFor(project: ProjectRef, request: CaptureRequest): Promise<CaptureOutcome> {
    const { items } = request
    const outcomes: ItemOutcomes = { events: [], dropped: [], warnings: [], snapshots: [] }
    const handle = this.createItemHandler(project, request, outcomes)
    if (isLarge(request))
      return handleCooperatively(request, handle).then(() => this.finishItems(project, request, outcomes))
    items.forEach(handle)
    return this.finishItems(project, request, outcomes)
  }

  /** Makes what puts one item where it belongs: with the events, or with the dropped. */
  private createItemHandler(
    project: ProjectRef,
    request: CaptureRequest,
    outcomes: ItemOutcomes,
  ): (item: Json, index: number) => void {
    const { receivedAtMs, sentAtMs, historicalMigration, defaultEventName, text } = request
    const { newUuid, findPlace } = this.dependencies
    const anonymous = anonymizesIps(project.settings) ? { clientIp: request.clientIp, findPlace } : undefined
    const cookieless = { clientIp: request.clientIp, mode: readCookielessMode(project.settings) }
    const given = { receivedAtMs, sentAtMs, historicalMigration, defaultEventName, newUuid }
    const context: StepContext = { ...given, text, cookieless, anonymous }
    const rules = readCaptureRules(project.settings)
    return (item, index) => {
      if (isSnapshot(item)) return void outcomes.snapshots.push(index)
      const result = runSteps(item, context)
      if (result.kept === null) return void outcomes.dropped.push({ index, reason: result.reason })
      const ruled = rules === null ? result.kept : applyCaptureRules(result.kept, rules, receivedAtMs)
      if (typeof ruled === "string") return void outcomes.dropped.push({ index, reason: ruled })
      outcomes.events.push(ruled)
      for (const reason of result.warnings) outcomes.warnings.push({ index, reason })
    }
  }

  private finishItems(project: ProjectRef, request: CaptureRequest, outcomes: ItemOutcomes): Promise<CaptureOutcome> {
    if (outcomes.snapshots.length > 0) this.takeSnapshots(project, request, outcomes)
    const { events, dropped, warnings } = outcomes
    const accepted = request.items.length - dropped.length
    const kept = { events, sent: findTextToLog(events, request) }
    return this.finish(project, request, kept, { accepted, dropped, warnings })
  }

  private takeSnapshots(
    { settings }: ProjectRef,
    request: CaptureRequest,
    { events, dropped, snapshots }: ItemOutcomes,
  ): void {
    const rules = readCaptureRules(settings)
    if (rules !== null && isLimited(rules, "recordings", request.receivedAtMs)) {
      for (const index of snapshots) dropped.push({ index, reason: "quota_exceeded" })
      return
    }
    const items = snapshots.map((index) => request.items[index] ?? null)
    const grouped = this.group({ ...request, items, userAgent: null }, rules)
    // One by one: a request may hold more than a call takes arguments.
    for (const event of grouped.events) events.push(event)
    for (const { index, reason } of grouped.dropped) dropped.push({ index: snapshots[index] ?? index, reason })
    dropped.sort((one, other) => one.index - other.index)
  }

  /** Nothing that waits for the disk here may know the request or its events. */
  private finish(
    project: ProjectRef,
    request: Omit<CaptureRequest, "token" | "sentAtMs" | "defaultEventName">,
    kept: KeptEvents,
    outcome: CaptureOutcome,
  ): Promise<CaptureOutcome> {
    const warnings = toWarnings(request, outcome)
    return this.append(project, request, kept).then(() => {
      void this.report(project, warnings)
      return outcome
    })
  }

  /** The key's project; at once for a key that was used lately. */
  private findProject({ token, senderIp }: Pick<CaptureRequest, "token" | "senderIp">): Awaitable<ProjectRef> {
    const found = this.dependencies.projectKeys.find(token, senderIp)
    return found instanceof Promise ? found.then(requireProject, refuseLookUp) : requireProject(found)
  }

  private append(
    project: ProjectRef,
    request: RequestSize & Pick<CaptureRequest, "receivedAtMs" | "clientIp" | "historicalMigration">,
    { events, sent }: KeptEvents,
  ): Promise<void> {
    if (events.length === 0) return Promise.resolve()
    const { receivedAtMs, clientIp, historicalMigration } = request
    return this.dependencies.ingestLog.append({
      projectId: project.id,
      receivedAtMs,
      clientIp: anonymizesIps(project.settings) ? "" : clientIp,
      historicalMigration,
      events,
      isLarge: isLarge(request),
      sent,
    })
  }

  /** Nobody waits for it. Yields to the event loop when there is much to report. */
  private async report(project: ProjectRef, warnings: readonly IngestionWarning[]): Promise<void> {
    for (let from = 0; from < warnings.length; from += WARNINGS_AT_ONCE) {
      if (from > 0) await yieldToEventLoop()
      this.dependencies.warnings.record(project.id, warnings.slice(from, from + WARNINGS_AT_ONCE))
    }
  }
}

type RequestSize = Pick<CaptureRequest, "items" | "text" | "textBytes">

/** Bytes of a request's text, and a little for each item. */
const measure = ({ items, text, textBytes = text?.bytes.length ?? 0 }: RequestSize): number =>
  textBytes + items.length * BYTES_OF_ANY_ITEM

const isLarge = (request: RequestSize): boolean => measure(request) > MAX_BYTES_AT_ONCE

async function handleCooperatively(
  request: CaptureRequest,
  handle: (item: Json, index: number) => void,
): Promise<void> {
  const budget = new YieldBudget(MAX_BYTES_AT_ONCE)
  const bytesOfItem = measure(request) / request.items.length
  for (const [index, item] of request.items.entries()) {
    handle(item, index)
    if (budget.spend(bytesOfItem)) await yieldToEventLoop()
  }
}

/** What is reported of a request once its events are on disk. */
function toWarnings(
  { items, earlierWarnings = NONE }: Pick<CaptureRequest, "items" | "earlierWarnings">,
  { dropped, warnings }: CaptureOutcome,
): readonly IngestionWarning[] {
  if (dropped.length + warnings.length === 0) return earlierWarnings
  return earlierWarnings.concat(
    dropped.map(({ index, reason }) => toWarning("dropped", reason, items[index] ?? null)),
    warnings.map(({ index, reason }) => toWarning("changed", reason, items[index] ?? null)),
  )
}

function requireProject(project: ProjectRef | null): ProjectRef {
  if (project === null) throw new AppError("invalid_project_key", { attr: "api_key" })
  noteProject(project.id)
  return project
}

function refuseLookUp(cause: unknown): never {
  if (cause instanceof AppError && cause.code === "rate_limited") throw cause
  const detail = "The project key cannot be looked up just now. Please retry."
  throw new AppError("store_unavailable", { detail, retryAfterSeconds: LOOKUP_RETRY_AFTER_SECONDS, cause })
}

const dropAll = (items: readonly Json[], reason: DropReason): CaptureOutcome["dropped"] =>
  items.map((_, index) => ({ index, reason }))
