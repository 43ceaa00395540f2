import type { WaymarkApi } from "./waymark-api.js"
import { PROJECT_KEY } from "./waymark-process.js"

/** An item of rrweb as recorders write it. */
export interface WrittenItem {
  readonly type: number
  readonly timestamp: number
  readonly data: object
}

interface PageNode {
  readonly tag: string
  readonly attributes?: Readonly<Record<string, string | boolean>>
  readonly children?: readonly (PageNode | string)[]
}

/** An element of a recorded page. */
export const element = (
  tag: string,
  attributes: PageNode["attributes"] = {},
  ...children: readonly (PageNode | string)[]
): PageNode => ({ tag, attributes, children })

/**
 * What a recorder writes of a page: that it was loaded, all of it at `startMs`, then what it logged, a click a second
 * later, and at the end that nothing changed.
 */
export function recordPage(startMs: number, endMs: number, head: readonly PageNode[], body: readonly PageNode[]) {
  let lastId = 0
  const write = (node: PageNode | string): object => {
    lastId += 1
    const id = lastId
    return typeof node === "string"
      ? { type: 3, textContent: node, id }
      : { type: 2, tagName: node.tag, attributes: node.attributes ?? {}, childNodes: node.children?.map(write), id }
  }
  const html = write(element("html", {}, element("head", {}, ...head), element("body", {}, ...body)))
  const page = { type: 0, childNodes: [html], id: lastId + 1 }
  return [
    { type: 4, timestamp: startMs, data: { href: "https://shop.test/", width: 800, height: 600 } },
    { type: 2, timestamp: startMs + 1, data: { node: page, initialOffset: { left: 0, top: 0 } } },
    { type: 3, timestamp: startMs + 1000, data: { source: 2, type: 2, id: 1, x: 1, y: 1 } },
    { type: 3, timestamp: endMs, data: { source: 0, texts: [], attributes: [], removes: [], adds: [] } },
  ]
}

/** A line of the console at a time. */
export const logged = (timestamp: number, level: string, text: string): WrittenItem => ({
  type: 6,
  timestamp,
  data: { plugin: "rrweb/console@1", payload: { level, payload: [JSON.stringify(text)] } },
})

/** Sends items of a session as browsers do. @throws Error with the status when they are not taken. */
export async function sendItems(
  api: WaymarkApi,
  distinctId: string,
  sessionId: string,
  items: readonly WrittenItem[],
): Promise<void> {
  const inOrder = items.toSorted((a, b) => a.timestamp - b.timestamp)
  const properties = {
    token: PROJECT_KEY,
    distinct_id: distinctId,
    $session_id: sessionId,
    $window_id: "w",
    $lib: "web",
  }
  const { status } = await api.post("/s/", [
    { event: "$snapshot", properties: { ...properties, $snapshot_data: inOrder, $snapshot_bytes: 1 } },
  ])
  if (status !== 200) throw new Error(`the server did not take the recording: ${status}`)
}
