import type { DirectCall, DirectHead } from "../../../kernel/direct-route.types.js"
import { AppError, toPublicError } from "../../../kernel/errors.js"
import type { Reply } from "../../../kernel/reply.js"
import type { CaptureService } from "../capture.service.js"
import { checkProjectKey } from "../project-key.js"
import type { DropReason, V1DropReason } from "../reasons.types.js"
import { toWarning } from "../warnings/to-warning.js"
import { readV1Batch, type V1Batch } from "./v1-batch.js"
import { toV1ErrorReply, V1Fault } from "./v1-fault.js"
import { readV1Head } from "./v1-head.js"

interface EventResult {
  readonly result: "ok" | "warning" | "drop"
  readonly details?: string
}

/** What v1 clients call a reason that the other paths name differently. */
const V1_NAMES: Partial<Record<DropReason, string>> = {
  performance_event: "rejected",
  client_ingestion_warning: "rejected",
  reserved_event_name: "rejected",
  invalid_properties: "malformed_event_properties",
  invalid_cookieless_mode: "invalid_options",
  message_size_too_large: "event_too_big",
  quota_exceeded: "billing_limit_exceeded",
  dropped_by_restriction: "rejected",
}

/** The refusal that the headers of a v1 request earn, or null. */
export function refuseV1Head({ headers }: DirectHead): Reply | null {
  try {
    readV1Head(headers)
    return null
  } catch (fault) {
    return toV1Refusal(fault)
  }
}

/**
 * Answers `POST /i/v1/analytics/events`: one result for each event, found by its uuid
 * (`docs/contract/capture.md#capture-v1`).
 */
export async function answerV1(service: CaptureService, call: DirectCall): Promise<Reply> {
  try {
    const head = readV1Head(call.headers)
    const batch = await readV1Batch(call.text.json, head)
    const sent = batch.events.filter((event) => event.item !== null)
    const earlierWarnings = batch.events.flatMap(({ dropReason, changeReason, sent: item }) => [
      ...(dropReason === null ? [] : [toWarning("dropped", dropReason, item)]),
      ...(changeReason === null ? [] : [toWarning("changed", changeReason, item)]),
    ])
    const { dropped, warnings } = await service.capture({
      token: checkProjectKey(head.token),
      items: sent.map((event) => event.item),
      textBytes: call.text.bytes.length,
      sentAtMs: head.sentAtMs,
      historicalMigration: batch.historicalMigration,
      clientIp: call.clientIp,
      senderIp: call.senderIp,
      receivedAtMs: call.receivedAtMs,
      defaultEventName: null,
      earlierWarnings,
    })
    const results = new Map<string, EventResult>()
    for (const { uuid, changeReason } of sent)
      if (changeReason !== null) results.set(uuid, { result: "warning", details: changeReason })
    for (const { index, reason } of warnings) results.set(uuidAt(sent, index), { result: "warning", details: reason })
    for (const { index, reason } of dropped) results.set(uuidAt(sent, index), toDrop(reason))
    return toReply(batch, results)
  } catch (fault) {
    return toV1Refusal(fault)
  }
}

const uuidAt = (events: V1Batch["events"], index: number): string => events[index]?.uuid ?? ""

const toDrop = (reason: DropReason | V1DropReason): EventResult => ({
  result: "drop",
  details: V1_NAMES[reason as DropReason] ?? reason,
})

function toReply({ events }: V1Batch, known: ReadonlyMap<string, EventResult>): Reply {
  // An object of a hundred thousand names would take three times as long. No uuid comes twice in a batch.
  const results = events.map(({ uuid, dropReason }) => {
    const result = dropReason === null ? (known.get(uuid) ?? { result: "ok" }) : toDrop(dropReason)
    return `${JSON.stringify(uuid)}:${JSON.stringify(result)}`
  })
  return {
    status: 200,
    headers: { "Content-Type": "application/json" },
    body: `{"results":{${results.join(",")}}}`,
  }
}

/** Anything but a known fault is a defect and goes on to whoever logs those. */
export function toV1Refusal(fault: unknown): Reply {
  if (fault instanceof V1Fault) return toV1ErrorReply(fault)
  if (!(fault instanceof AppError)) throw fault
  const { status, wireCode } = toPublicError(fault, String)
  return toV1ErrorReply(new V1Fault(status, wireCode, fault.message, fault.details.retryAfterSeconds ?? null))
}
