import { isObject } from "../../pictures/is-object"

/** What a recorder wrote at one moment, for rrweb's player. */
export interface RecordedItem {
  readonly type: number
  /** Milliseconds of the recorded browser's clock. */
  readonly timestamp: number
  readonly data: unknown
  /** The browser window that it is of. */
  readonly window: string
}

/** Parts of an incremental item that posthog-js compresses one by one, by the item's source. */
const COMPRESSED_PARTS: Readonly<Record<number, readonly string[]>> = {
  0: ["texts", "attributes", "removes", "adds"],
  8: ["adds", "removes"],
}

/**
 * Attributes that may only name what is in the recording itself. The policy of the frame refuses other addresses, but
 * Chromium connects to the host of a frame or link that is followed before it asks the policy.
 */
const ADDRESSES = ["src", "href", "xlink:href"]
const WITHIN = /^(data:|#)/i

/** Items of these types make the page; others only tell of it. */
const PAGE = 2
const INCREMENTAL = 3

/** An incremental item of this source has the player load a font as the console itself, not as the recorded page. */
const FONT = 10

/**
 * Reads a line of a stretch: `[window id, rrweb event]`, which the SDK may have compressed.
 * Null for what is no such line: strangers wrote them.
 */
export async function readItem(line: string): Promise<RecordedItem | null> {
  try {
    const parsed: unknown = JSON.parse(line)
    if (!Array.isArray(parsed)) return null
    const [window, item]: unknown[] = parsed
    if (!isObject(item) || typeof item.type !== "number" || typeof item.timestamp !== "number") return null
    const data = item.cv === undefined ? item.data : await inflateData(item.data)
    if (isObject(data) && data.source === FONT) return null
    if (item.type === PAGE || item.type === INCREMENTAL) refuseAddresses(data)
    return { type: item.type, timestamp: item.timestamp, data, window: String(window) }
  } catch {
    return null
  }
}

/** Takes out, at any depth, the addresses of what is not in the recording. */
function refuseAddresses(value: unknown): void {
  if (typeof value !== "object" || value === null) return
  for (const [name, part] of Object.entries(value)) {
    if (typeof part !== "string") refuseAddresses(part)
    else if (ADDRESSES.includes(name.toLowerCase()) && !WITHIN.test(part)) Reflect.deleteProperty(value, name)
  }
}

async function inflateData(data: unknown): Promise<unknown> {
  if (typeof data === "string") return inflate(data)
  if (!isObject(data)) return data
  const inflated: Record<string, unknown> = { ...data }
  for (const part of COMPRESSED_PARTS[Number(data.source)] ?? []) {
    const text = data[part]
    if (typeof text === "string") inflated[part] = await inflate(text)
  }
  return inflated
}

/** Reads gzipped JSON, a byte in each character. */
async function inflate(text: string): Promise<unknown> {
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0))
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))
  return new Response(inflated).json()
}
