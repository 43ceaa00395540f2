import type { Page } from "playwright-core"
import type { WaymarkApi } from "../support/waymark-api.js"
import type { Made } from "./data.js"
import type { Screen } from "./screens.js"
import { settle } from "./still-page.js"

const WIDTHS = [1280, 390] as const
const THEMES = ["light", "dark"] as const
const HEIGHT = 800
/** What is around a screen: its bar on top, and the navigation beside it where the window is wide. */
const BAR = 48
const NAVIGATION = 216
const WIDE = 768

/** Opens a screen, and makes it ready to be looked at. */
export async function openScreen(page: Page, { path, shows, act }: Screen, made: Made, api: WaymarkApi): Promise<void> {
  const asked = path(made)
  await page.setViewportSize({ width: WIDTHS[0], height: HEIGHT })
  await page.emulateMedia({ colorScheme: THEMES[0] })
  await page.goto(`${api.url}${asked.startsWith("/") ? asked : `/project/@current/${asked}`}`)
  await act?.(page, api)
  for (const selector of shows) await page.locator(selector).first().waitFor()
}

/** Looks at an open screen in each width and theme: `use` gets what the picture is called, and how to make it. */
export async function lookAt(
  page: Page,
  name: string,
  screen: Screen,
  use: (title: string, take: () => Promise<Buffer>) => Promise<void>,
): Promise<void> {
  for (const width of WIDTHS)
    for (const theme of THEMES) {
      await page.setViewportSize({ width, height: HEIGHT })
      await page.emulateMedia({ colorScheme: theme })
      await use(`${name}-${width}-${theme}`, () => takePicture(page, width, screen))
    }
}

/** The whole window, or what the screen itself has of it. */
async function takePicture(page: Page, width: number, { isWhole, isAnonymous }: Screen): Promise<Buffer> {
  await settle(page)
  const isAll = isWhole === true || isAnonymous === true
  const [x, y] = isAll ? [0, 0] : [width < WIDE ? 0 : NAVIGATION, BAR]
  return page.screenshot({ animations: "disabled", clip: { x, y, width: width - x, height: HEIGHT - y } })
}
