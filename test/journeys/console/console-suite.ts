import { afterAll, describe, expect, jest, test } from "@jest/globals"
import { hasChromium } from "../../support/browser.js"
import { type ConsolePages, ownConsole, PATIENCE_MS } from "../../support/console-pages.js"
import { startOidcProvider } from "../../support/oidc-visitor.js"

const provider = hasChromium() ? await startOidcProvider() : null

/** Tries parts of the console on one server: each start of one takes five seconds of processor time. */
export function testConsole(parts: Readonly<Record<string, (pages: ConsolePages) => void>>): void {
  jest.setTimeout(4 * PATIENCE_MS)
  if (provider === null) {
    // Plain statement in place of a silent pass.
    test("the console is not tried in a browser here: there is none", () => undefined)
    return
  }
  describe("in the console", () => {
    afterAll(() => provider.stop())
    const pages = ownConsole({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: "waymark",
      OIDC_CLIENT_SECRET: "the secret of waymark at its provider",
      OIDC_NAME: "Example",
      OIDC_NEW_USER_ROLE: "viewer",
    })
    for (const [name, declare] of Object.entries(parts)) describe(name, () => declare(pages))

    test("nothing is loaded from elsewhere, and nothing complained of", () => {
      // The browser itself reports the answers to what tests do wrong on purpose.
      expect(pages.complaints.filter((text) => !/status of 40[01]/.test(text))).toEqual([])
    })
  })
}
