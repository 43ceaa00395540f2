import { describe } from "@jest/globals"
import { runHostileCases } from "./cases/hostile-cases.js"
import { runHttpCases } from "./cases/http-cases.js"
import { createInMemoryDriver, failingKeys, keysWithSettings, NOW_MS, OWN_PROJECT } from "./cases/in-memory-driver.js"
import { settingsOf } from "./cases/operator-settings.js"

describe("capture cases, from bytes to the ingest log", () => {
  runHttpCases({
    createDriver: async (one) =>
      createInMemoryDriver(
        one.given?.token_store === "failing" ? failingKeys : keysWithSettings(settingsOf(one, NOW_MS)),
      ),
    nowMs: () => NOW_MS,
  })
})

const hostile = { createDriver: async () => createInMemoryDriver(), ownProject: OWN_PROJECT }

describe("hostile capture bodies", () => runHostileCases("capture-bodies", hostile))
describe("hostile compressed bodies", () => runHostileCases("compressed", hostile))
describe("numbers as property values", () => runHostileCases("numbers-paging", hostile))
