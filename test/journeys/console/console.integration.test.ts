import { afterAll, describe, expect, jest, test } from "@jest/globals"
import { hasChromium } from "../../support/browser.js"
import { ownConsole, PATIENCE_MS } from "../../support/console-pages.js"
import { startOidcProvider } from "../../support/oidc-visitor.js"
import { testCohorts } from "./cohorts.js"
import { testDashboards } from "./dashboards.js"
import { testData } from "./data.js"
import { testEvents } from "./events.js"
import { testExplorer } from "./explorer.js"
import { testFlags } from "./flags.js"
import { testGroups } from "./groups.js"
import { testHogql } from "./hogql.js"
import { testInsights } from "./insights.js"
import { testLive } from "./live.js"
import { testPersons } from "./persons.js"
import { testPlaylists } from "./playlists.js"
import { testRecordings } from "./recordings.js"
import { testServing } from "./serving.js"
import { testSession } from "./session.js"
import { testSettings } from "./settings.js"
import { testShell } from "./shell.js"
import { testStart } from "./start.js"

jest.setTimeout(4 * PATIENCE_MS)

/** All screens are tried on one server: each start of one takes five seconds of processor time. */
const PARTS = {
  serving: testServing,
  "the session": testSession,
  "around every screen": testShell,
  "the builder of insights": testInsights,
  "questions in HogQL": testHogql,
  dashboards: testDashboards,
  "the flags": testFlags,
  "the recordings": testRecordings,
  "the explorer": testExplorer,
  // These send events of their own, and what others count has been counted.
  "the events": testEvents,
  "the first run": testStart,
  "live events": testLive,
  "the data": testData,
  persons: testPersons,
  groups: testGroups,
  playlists: testPlaylists,
  cohorts: testCohorts,
  // These change the project that the others look at.
  "the settings": testSettings,
}

const provider = hasChromium() ? await startOidcProvider() : null

/** Plain statement in place of a silent pass: without a browser there is one test, and it says so. */
if (provider === null) test("the console is not tried in a browser here: there is none", () => undefined)
else
  describe("in the console", () => {
    afterAll(() => provider.stop())
    const pages = ownConsole({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: "waymark",
      OIDC_CLIENT_SECRET: "the secret of waymark at its provider",
      OIDC_NAME: "Example",
      OIDC_NEW_USER_ROLE: "viewer",
    })
    for (const [name, declare] of Object.entries(PARTS)) describe(name, () => declare(pages))

    test("nothing is loaded from elsewhere, and nothing complained of", () => {
      // The browser itself reports the answers to what tests do wrong on purpose.
      expect(pages.complaints.filter((text) => !/status of 40[01]/.test(text))).toEqual([])
    })
  })
