import { testCohorts } from "./cohorts.js"
import { testConsole } from "./console-suite.js"
import { testData } from "./data.js"
import { testEvents } from "./events.js"
import { testExports } from "./exports.js"
import { testGroups } from "./groups.js"
import { testLive } from "./live.js"
import { testPersons } from "./persons.js"
import { testPlaylists } from "./playlists.js"
import { testSettings } from "./settings.js"
import { testStart } from "./start.js"

testConsole({
  "the events": testEvents,
  "the first run": testStart,
  "live events": testLive,
  "the data": testData,
  persons: testPersons,
  groups: testGroups,
  playlists: testPlaylists,
  cohorts: testCohorts,
  "exports by schedule": testExports,
  // These change the project that the others look at.
  "the settings": testSettings,
})
