import type { DemoServer } from "./server.js"
import type { Moment } from "./traffic.js"

/** How many of the latest sessions are recorded, besides what they sent. */
const RECORDED = 12
const FAILURE = "payment failed: no answer from the bank"
const STYLE = `body { font: 16px sans-serif; margin: 0; color: #1d2733 }
header { background: #0b7a5a; color: white; padding: 18px 48px; font-weight: 600 }
main { padding: 32px 48px } li { margin: 8px 0 } button { margin-top: 16px; padding: 12px 28px; font-size: 16px }`
const NUMBERED = { html: 2, body: 3, button: 4, state: 5 }

/** An item of rrweb, as recorders write it. */
interface Item {
  readonly type: number
  readonly timestamp: number
  readonly data: object
}

/** A visit: what one session sent, in time order. */
type Visit = readonly Moment[]

/** Sends recordings of the latest visits, so that the list of recordings has something to watch; returns the failed ones. */
export async function sendRecordings(moments: readonly Moment[], server: DemoServer): Promise<readonly string[]> {
  const visits = Map.groupBy(moments, ({ sessionId }) => sessionId)
  const latest = [...visits]
    .filter(([, { length }]) => length > 3)
    .toSorted(([, a], [, b]) => Number(b[0]?.at) - Number(a[0]?.at))
    .slice(0, RECORDED)
  const failed: string[] = []
  for (const [index, [sessionId, visit]] of latest.entries()) {
    const hasFailure = index % 4 === 1
    if (hasFailure) failed.push(sessionId)
    await send(server, sessionId, visit, record(visit, hasFailure))
  }
  process.stdout.write(`\n${latest.length} sessions recorded, ${failed.length} of them with an error on the console.\n`)
  return failed
}

/** The pages of a visit, a click on each, and what went wrong on the last one. */
function record(visit: Visit, hasFailure: boolean): Item[] {
  const items: Item[] = []
  const last = visit.at(-1)?.at.getTime() ?? 0
  for (const { at, action } of visit) {
    if (action.kind !== "capture" || action.event !== "$pageview") continue
    const [time, url] = [at.getTime(), String(action.properties.$current_url)]
    items.push(
      { type: 4, timestamp: time, data: { href: url, width: 1024, height: 640 } },
      {
        type: 2,
        timestamp: time + 1,
        data: { node: drawPage(new URL(url).pathname), initialOffset: { left: 0, top: 0 } },
      },
      ...moveTo(time + 500),
      { type: 3, timestamp: time + 2500, data: { source: 2, type: 2, id: NUMBERED.button, x: 90, y: 320 } },
      {
        type: 3,
        timestamp: time + 2550,
        data: {
          source: 0,
          texts: [{ id: NUMBERED.state, value: "One moment…" }],
          attributes: [],
          removes: [],
          adds: [],
        },
      },
    )
  }
  if (hasFailure) {
    const payload = { level: "error", payload: [JSON.stringify(FAILURE)] }
    items.push({ type: 6, timestamp: last + 3000, data: { plugin: "rrweb/console@1", payload } })
  }
  const nothing = { source: 0, texts: [], attributes: [], removes: [], adds: [] }
  return [...items, { type: 3, timestamp: last + 6000, data: nothing }].toSorted((a, b) => a.timestamp - b.timestamp)
}

/** A pointer on its way to the button. */
function moveTo(startMs: number): Item[] {
  const steps = Array.from({ length: 20 }, (_, step) => ({
    x: 600 - step * 26,
    y: 80 + step * 12,
    id: NUMBERED.body,
    timeOffset: 0,
  }))
  return steps.map((place, step) => ({
    type: 3,
    timestamp: startMs + step * 90,
    data: { source: 1, positions: [place] },
  }))
}

/** A page of the shop, as a snapshot of rrweb. */
function drawPage(path: string): object {
  let lastId = 10
  const text = (textContent: string, id = ++lastId) => ({ type: 3, textContent, id })
  const element = (tagName: string, childNodes: object[], id = ++lastId) => ({
    type: 2,
    tagName,
    attributes: {},
    childNodes,
    id,
  })
  const title = path === "/" ? "Coffee by the month" : path.slice(1).replaceAll("-", " ").replaceAll("/", ": ")
  const body = [
    element("header", [text("The shop")]),
    element("main", [
      element("h1", [text(title)]),
      element(
        "ul",
        ["Starter, 19 €", "Team, 79 €", "Business, 249 €"].map((plan) => element("li", [text(plan)])),
      ),
      element("button", [text("Go on")], NUMBERED.button),
      element("p", [text("", NUMBERED.state)]),
    ]),
  ]
  const head = element("head", [element("style", [text(STYLE)])])
  return { type: 0, id: 1, childNodes: [element("html", [head, element("body", body, NUMBERED.body)], NUMBERED.html)] }
}

async function send({ url, projectKey }: DemoServer, sessionId: string, visit: Visit, items: Item[]): Promise<void> {
  const properties = {
    token: projectKey,
    distinct_id: visit.at(-1)?.distinctId,
    $session_id: sessionId,
    $window_id: "w",
    $lib: "web",
    $snapshot_data: items,
    $snapshot_bytes: JSON.stringify(items).length,
  }
  const response = await fetch(`${url}/s/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify([{ event: "$snapshot", properties }]),
  })
  if (!response.ok) throw new Error(`the server did not take a recording: ${response.status}`)
}
