import type { Page } from "playwright-core"
import { TODAY_MS } from "./data.js"

const DAY_MS = 86_400_000
/** The day that pictures show as today. */
const SHOWN_DAY_MS = Date.UTC(2024, 10, 20)

const WRITE_SHOWN_DAY = `{
  const todayMs = ${TODAY_MS}, dayMs = ${DAY_MS}, shiftMs = ${SHOWN_DAY_MS} - todayMs
  const { get } = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, "format")
  Object.defineProperty(Intl.DateTimeFormat.prototype, "format", {
    get() {
      const format = get.call(this)
      return (date = Date.now()) => {
        const ms = Number(date)
        if (ms < todayMs - 60 * dayMs || ms > todayMs + 2 * dayMs) return format(ms)
        return format((ms > todayMs ? todayMs + dayMs / 2 : ms) + shiftMs)
      }
    },
  })
}`

const WRITE_IN_ONE_FONT = `{
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(\`:root {
    --mantine-font-family: "DejaVu Sans" !important;
    --mantine-font-family-headings: "DejaVu Sans" !important;
    --mantine-font-family-monospace: "DejaVu Sans Mono" !important;
  }\`)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}`

/** Days that are written as the server has them are moved as well, once: nothing moved is this young. */
const WRITE_ALIKE = `{
  const shiftMs = ${SHOWN_DAY_MS - TODAY_MS}, oldestMs = ${SHOWN_DAY_MS + 60 * DAY_MS}
  const move = (day) =>
    Date.parse(day) < oldestMs ? day : new Date(Date.parse(day) + shiftMs).toISOString().slice(0, 10)
  const write = (text) => text
    .replace(/\\d{4}-\\d\\d-\\d\\d(?!-)/g, move)
    .replace(/ in [\\d.,]+ m?s\\b/g, " in 24 ms")
    .replace(/127\\.0\\.0\\.1:\\d+/g, "waymark.test")
    .replace(/[\\da-f]{8}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{12}/g, "0199a000-0000-7000-8000-000000000000")
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    if (write(node.nodeValue) !== node.nodeValue) node.nodeValue = write(node.nodeValue)
  }
  for (const field of document.querySelectorAll("input")) {
    if (write(field.value) !== field.value) field.value = write(field.value)
  }
}`

/**
 * Makes every later document of a page look the same on each day and machine: days of the last two months are written as
 * if today were the shown one, times since midnight, which only the run itself makes, as noon; texts stand in one font of
 * Debian.
 */
export async function makeStill(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" })
  await page.addInitScript({ content: WRITE_SHOWN_DAY + WRITE_IN_ONE_FONT })
}

/** Waits until nothing loads any more, and writes alike what each run makes anew: ids, the server's port, durations. */
export async function settle(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle")
  await page
    .locator("[aria-busy=true], [aria-label=Loading], .mantine-Skeleton-root")
    .first()
    .waitFor({ state: "detached" })
  await page.evaluate(WRITE_ALIKE)
}
