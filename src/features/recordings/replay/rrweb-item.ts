import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"

/** One recorded item as browsers send it; `timestamp` is in milliseconds since the epoch. */
export interface RrwebItem extends JsonObject {
  timestamp: number
}

/** rrweb's item types and incremental sources that matter for counting; the numbers are rrweb's own. */
const INCREMENTAL = 3
const PLUGIN = 6
const MOUSE_MOVE = 1
const MOUSE_INTERACTION = 2
const INPUT = 5
const TOUCH_MOVE = 6

/** Moves, interactions, scrolls, resizes, inputs, touches, media and drags; not what the page does by itself. */
const ACTIVE_SOURCES: ReadonlySet<Json | undefined> = new Set([1, 2, 3, 4, 5, 6, 7, 12])
const MOUSE_SOURCES: ReadonlySet<Json | undefined> = new Set([MOUSE_MOVE, MOUSE_INTERACTION, TOUCH_MOVE])
/** Click, context menu, double click and end of a touch. */
const CLICK_INTERACTIONS: ReadonlySet<Json | undefined> = new Set([2, 3, 4, 9])

const CONSOLE_PLUGIN = "rrweb/console@1"
const MAX_URL_LENGTH = 4096

/** Whether a value is an item that can be put on a time line (`docs/contract/recordings.md#recorded-items`). */
export function isRrwebItem(value: Json): value is RrwebItem {
  return isJsonObject(value) && typeof value.timestamp === "number" && value.timestamp > 0
}

/** `data` of an item; newer clients send a compressed text for some kinds, which has nothing that is counted. */
const getData = ({ data }: RrwebItem): JsonObject | null => (isJsonObject(data) ? data : null)

const getSource = (item: RrwebItem): Json | undefined => (item.type === INCREMENTAL ? getData(item)?.source : undefined)

/** Whether the user did something, which makes time active. */
export const isActive = (item: RrwebItem): boolean => ACTIVE_SOURCES.has(getSource(item))
/** Input into a field. */
export const isKeypress = (item: RrwebItem): boolean => getSource(item) === INPUT
/** Clicks count too. */
export const isMouseActivity = (item: RrwebItem): boolean => MOUSE_SOURCES.has(getSource(item))
/** A click, a double click, a context menu or the end of a touch. */
export const isClick = (item: RrwebItem): boolean =>
  getSource(item) === MOUSE_INTERACTION && CLICK_INTERACTIONS.has(getData(item)?.type)

/** Address that the item names (a page load, or a change without one), at most 4096 characters; null when none. */
export function readUrl(item: RrwebItem): string | null {
  const data = getData(item)
  const payload = data?.payload
  return toUrl(data?.href) ?? (isJsonObject(payload) ? toUrl(payload.href) : null)
}

function toUrl(href: Json | undefined): string | null {
  const url = typeof href === "string" ? href.trim().slice(0, MAX_URL_LENGTH) : ""
  return url === "" ? null : url
}

/** What the console plugin recorded: its level as sent and its arguments; null for any other item. */
export function readConsoleCall(item: RrwebItem): { readonly level: Json; readonly values: readonly Json[] } | null {
  const data = item.type === PLUGIN ? getData(item) : null
  if (data?.plugin !== CONSOLE_PLUGIN || !isJsonObject(data.payload)) return null
  const { level, payload: values } = data.payload
  return { level: level ?? null, values: Array.isArray(values) ? values : [] }
}
