import { createHash } from "node:crypto"
import type { JsonObject } from "../../kernel/json.js"
import { deriveUuid } from "../../kernel/uuid-v5.js"

/** Fixed for ever: what is imported again must get the uuids that it got before. */
const NAMESPACE = Buffer.from("5f1f4b8e0c6a4b53a0c3f2a4d7e91b60", "hex")

/** What a row of a source becomes: one event as capture takes it, without its uuid. */
export interface EventToSend {
  /** The source's own uuid, or one derived from the source's own id; null where the source has neither. */
  readonly uuid: string | null
  /** Whether it makes a person known: persons come before everything that happened. */
  readonly isOfPerson: boolean
  /** ISO 8601 in UTC with six digits of a second: sorts as text. */
  readonly time: string
  readonly item: JsonObject
}

/** Why a row is not sent, in one word of the report. */
export interface LeftOut {
  readonly leftOut: string
}

/** Why capture would drop an event; null when it would keep it. */
export type FindDropReason = (item: JsonObject) => string | null
/** Reads a time as capture does: milliseconds since the epoch, or null for what is not a time. */
export type ParseTime = (value: unknown) => number | null

/** Rules of capture that rows are read by, so that what capture would drop is told of with its place in the source. */
export interface CaptureRules {
  readonly parseTime: ParseTime
  readonly findDropReason: FindDropReason
}

const MICROSECONDS = /[T ]\d{2}:\d{2}:\d{2}[.,]\d{3}(\d{1,3})/
/** Length of a time of the years 0 to 9999. */
const ISO_LENGTH = 24

/** A time that sorts as text, exact to what was written; null for what is not a time. */
export function toSortedTime(written: unknown, parseTime: ParseTime): string | null {
  const time = new Date(parseTime(written) ?? Number.NaN)
  // A number may be beyond all that a date can be.
  const iso = Number.isNaN(time.getTime()) ? "" : time.toISOString()
  if (iso.length !== ISO_LENGTH) return null
  const micros = typeof written === "string" ? (MICROSECONDS.exec(written)?.[1] ?? "") : ""
  return `${iso.slice(0, -1)}${micros.padEnd(3, "0")}Z`
}

/** As capture wants it: with milliseconds. */
export const toTimestamp = (time: string): string => `${time.slice(0, 23)}Z`

/** The uuid of what a source knows by an id of its own. */
export const uuidOfId = (kind: string, id: string): string => deriveUuid(NAMESPACE, `${kind}:${id}`)

/** What equal rows have in common. */
export const toDigest = (json: string): string => createHash("sha256").update(json).digest("base64")

/**
 * The uuid of a row that has no id: of its content, so that the same row gets the same one whenever it comes again.
 * @param occurrence how many equal rows came before it: a source may well hold two equal ones.
 */
export const uuidOfContent = (digest: string, occurrence: number): string => uuidOfId("row", `${digest}:${occurrence}`)
