import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { gunzipSync } from "node:zlib"
import type { Page } from "playwright-core"

const DIST = dirname(createRequire(import.meta.url).resolve("@rrweb/replay"))

/** Parts of an incremental item that posthog-js compresses one by one, by the item's source. */
const COMPRESSED_PARTS: Readonly<Record<number, readonly string[]>> = {
  0: ["texts", "attributes", "removes", "adds"],
  8: ["adds", "removes"],
}

/** A recorded item as snapshots answer it; with `cv` it has compressed parts. */
export interface RecordedItem {
  readonly type: number
  readonly timestamp: number
  readonly data: unknown
  readonly cv?: string
}

/** The same item with nothing compressed, as rrweb's player takes it. */
export function inflateItem({ cv, ...item }: RecordedItem): RecordedItem {
  if (cv === undefined) return item
  if (typeof item.data === "string") return { ...item, data: inflate(item.data) }
  const data = item.data as Record<string, unknown>
  const parts = (COMPRESSED_PARTS[data.source as number] ?? []).filter((part) => typeof data[part] === "string")
  return { ...item, data: { ...data, ...Object.fromEntries(parts.map((part) => [part, inflate(String(data[part]))])) } }
}

const inflate = (text: string): unknown => JSON.parse(gunzipSync(Buffer.from(text, "latin1")).toString("utf8"))

/** What a page shows, comparable between a page and its replay. */
export interface ShownPage {
  readonly title: string
  /** Of the window, in pixels. */
  readonly scroll: readonly [number, number]
  /** Elements of the body in their order: name, attributes, value, where it lies, what colour it has, how far it is scrolled. */
  readonly elements: readonly string[]
  /** Texts of the body in their order. */
  readonly texts: readonly string[]
}

/**
 * Runs in a browser. Left out are scripts, which a player must not run, and marks that the player makes: attributes beginning
 * with `rr_`, the class of what the mouse is over, and what it tells inputs: not to complete, and their present value.
 */
const SHOW = `(shown) => {
  const all = [...shown.body.querySelectorAll("*")].filter(({ localName }) => localName !== "script" && localName !== "noscript")
  const view = shown.defaultView
  const describe = (element) => {
    const attributes = [...element.attributes]
      .filter(({ name }) => !name.startsWith("rr_") && !["value", "checked", "autocomplete", "class"].includes(name))
      .map(({ name, value }) => name + "=" + value)
    const classes = [...element.classList].filter((name) => name !== ":hover")
    const { x, y, width, height } = element.getBoundingClientRect()
    return [
      [element.localName, ...classes].join("."), ...attributes.sort(), element.value ?? "", element.checked === true,
      [x, y, width, height].map(Math.round).join(" "), view.getComputedStyle(element).backgroundColor, element.scrollTop,
    ].join("|")
  }
  const textsOf = (node) => node.nodeType === 3 ? [node.data.trim()]
    : node.localName === "script" || node.localName === "noscript" ? [] : [...node.childNodes].flatMap(textsOf)
  return {
    title: shown.title,
    scroll: [Math.round(view.scrollX), Math.round(view.scrollY)],
    elements: all.map(describe),
    texts: textsOf(shown.body).filter((text) => text !== ""),
  }
}`

/** What a page shows now. */
export const shownOf = (page: Page): Promise<ShownPage> => page.evaluate(`(${SHOW})(document)`)

/** Plays items in rrweb's own player to behind their last, on an empty page, and tells what its frame then shows. */
export async function replay(page: Page, items: readonly RecordedItem[]): Promise<ShownPage> {
  await page.addStyleTag({ path: join(DIST, "style.css") })
  await page.addScriptTag({ path: join(DIST, "replay.umd.min.cjs") })
  const events = JSON.stringify(items.map(inflateItem))
  return page.evaluate(`(async () => {
    const player = new rrwebReplay.Replayer(${events}, { mouseTail: false, showWarning: true })
    player.pause(player.getMetaData().totalTime + 1)
    return (${SHOW})(player.iframe.contentDocument)
  })()`)
}
