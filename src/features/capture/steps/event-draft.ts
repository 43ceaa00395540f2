import type { DecodedText } from "../../../kernel/direct-route.types.js"
import type { JsonObject } from "../../../kernel/json.js"
import type { CookielessMode } from "../../cookieless/index.js"
import type { AcceptedEvent, FindPlace } from "../capture.types.js"
import type { DropReason, WarningReason } from "../reasons.types.js"

/** An event on its way through the steps: what the client wrote, and what is known of it so far. */
export interface EventDraft extends Mutable<AcceptedEvent> {
  readonly item: JsonObject
  readonly warnings: WarningReason[]
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** What the request says about all of its events. */
export interface StepContext {
  readonly receivedAtMs: number
  /** When the client says it sent the request; null when it does not say so. */
  readonly sentAtMs: number | null
  readonly historicalMigration: boolean
  /** Name of an event that has none: `$identify` on `/engage`, elsewhere null. */
  readonly defaultEventName: string | null
  /** What events without cookies depend on; absent for snapshots, which are no events. */
  readonly cookieless?: { readonly clientIp: string; readonly mode: CookielessMode }
  /** What is discarded, and what finds its place first; absent unless the project keeps no addresses. */
  readonly anonymous?: { readonly clientIp: string; readonly findPlace: FindPlace } | undefined
  /** Spares looking through events that came in a harmless text; absent when the items were not read from one. */
  readonly text?: DecodedText | undefined
  /** Gives a UUIDv7 for an event that came without one. */
  readonly newUuid: () => string
}

/** Fills in its part of the draft. Null keeps the event; a reason drops it and ends the list. */
export type Step = (draft: EventDraft, context: StepContext) => DropReason | null

/** A draft of which no step has filled in anything yet. */
export const createDraft = (item: JsonObject): EventDraft => ({
  item,
  warnings: [],
  uuid: "",
  event: "",
  distinctId: "",
  properties: {},
  timestamp: "",
  clientTimestamp: null,
  place: undefined,
})
