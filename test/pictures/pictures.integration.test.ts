import { beforeAll, describe, expect, jest, test } from "@jest/globals"
import type { Page } from "playwright-core"
import { hasChromium } from "../support/browser.js"
import { ownConsole, PATIENCE_MS } from "../support/console-pages.js"
import { compareUntilAlike, keepWhenStill } from "./compare.js"
import { fillProject, type Made } from "./data.js"
import { lookAt, openScreen } from "./look.js"
import { SCREENS } from "./screens.js"
import { makeStill } from "./still-page.js"

jest.setTimeout(10 * PATIENCE_MS)

/** `npm run pictures` keeps what is seen instead of comparing it. */
const isRenewed = process.env.RENEW_PICTURES === "1"

function comparePictures(): void {
  const { api, open } = ownConsole({})
  let made: Made
  /** Two pages for all screens: of the owner, and of somebody who is not signed in. */
  let owners: Page
  let strangers: Page
  beforeAll(async () => {
    made = await fillProject(api)
    owners = await open("/sign-in")
    strangers = await open("/sign-in", { isAnonymous: true })
    for (const page of [owners, strangers]) await makeStill(page)
  })

  test.each(Object.entries(SCREENS))("%s looks as it did", async (name, screen) => {
    const page = screen.isAnonymous ? strangers : owners
    await openScreen(page, screen, made, api)
    const differences: string[] = []
    await lookAt(page, name, screen, async (title, take) => {
      if (isRenewed) await keepWhenStill(title, take)
      else differences.push(...(await compareUntilAlike(title, take)))
    })
    expect(differences).toEqual([])
  })
}

if (hasChromium()) describe("in pictures,", comparePictures)
else test("no pictures are compared here: there is no browser", () => undefined)
