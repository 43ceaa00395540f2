import type { Page } from "playwright-core"

/*
 * Times are taken in the page itself, from the deed to the frame that shows what came of it: what drives the browser takes
 * some milliseconds for each word with it. Scripts are texts, because what the compiler adds to functions is not in the page.
 */

const NEXT_FRAME = "await new Promise(requestAnimationFrame)"
const CONTENT = "main h1"

/** Clicks a link of the navigation; milliseconds until the title of another screen is drawn. */
export const clickUntilTitle = (page: Page, title: string): Promise<number> =>
  page.evaluate(`(async () => {
    const before = document.querySelector("${CONTENT}")
    const link = [...document.querySelectorAll("nav a")].find((one) => one.textContent === ${JSON.stringify(title)})
    const startedAt = performance.now()
    link.click()
    while (document.querySelector("${CONTENT}") === before || !document.querySelector("${CONTENT}")) ${NEXT_FRAME}
    ${NEXT_FRAME}
    return performance.now() - startedAt
  })()`)

/** Clicks a link of the list; milliseconds until all tiles behind it are drawn. */
export const clickUntilTiles = (page: Page, link: string, tiles: number): Promise<number> =>
  page.evaluate(`(async () => {
    const startedAt = performance.now()
    ;[...document.querySelectorAll("main a")].find((one) => one.textContent === ${JSON.stringify(link)}).click()
    const isComplete = () =>
      document.querySelectorAll("main .place").length >= ${tiles} &&
      document.querySelector("main [aria-busy=true], main .mantine-Skeleton-root, main .mantine-Loader-root") === null
    while (!isComplete()) ${NEXT_FRAME}
    ${NEXT_FRAME}
    return performance.now() - startedAt
  })()`)

/** What happened on the page while somebody used it. */
export interface Smoothness {
  /** Milliseconds between two frames, the longest and how many were longer than 50. */
  readonly longestFrameMs: number
  readonly longFrames: number
  /** Milliseconds from a key to the frame that shows it, the longest; 0 when all were below 16. */
  readonly longestKeyMs: number
}

/** Watches the frames of the page and what its keys wait for while `use` goes on. */
export async function watchFrames(page: Page, use: () => Promise<void>): Promise<Smoothness> {
  await page.evaluate(`{
    const seen = (globalThis.seen = { longestFrameMs: 0, longFrames: 0, longestKeyMs: 0, isWatched: true })
    let lastAt = performance.now()
    const look = (now) => {
      seen.longestFrameMs = Math.max(seen.longestFrameMs, now - lastAt)
      if (now - lastAt > 50) seen.longFrames++
      lastAt = now
      if (seen.isWatched) requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries())
        if (name.startsWith("key")) seen.longestKeyMs = Math.max(seen.longestKeyMs, duration)
    }).observe({ type: "event", durationThreshold: 16 })
  }`)
  await use()
  return page.evaluate("{ globalThis.seen.isWatched = false; globalThis.seen }")
}
