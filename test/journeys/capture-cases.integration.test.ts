import { afterAll, beforeAll, describe } from "@jest/globals"
import { runGraphqlCaptureCases } from "../features/capture/cases/graphql-capture-cases.js"
import { runHttpCases } from "../features/capture/cases/http-cases.js"
import { settingsOf } from "../features/capture/cases/operator-settings.js"
import { runPersonCases } from "../features/capture/cases/pipeline-http-cases.js"
import { runReplayCases } from "../features/capture/cases/replay-http-cases.js"
import { runTimestampCases } from "../features/capture/cases/time-http-cases.js"
import { ALL_STARTS_WITHIN_MS, CaptureCaseServer } from "../support/capture-case-server.js"

const server = new CaptureCaseServer()
beforeAll(() => server.start(), ALL_STARTS_WITHIN_MS)
afterAll(() => server.stop())

describe("capture cases over HTTP, read back by HogQL", () => {
  runHttpCases({
    createDriver: async (one) => {
      await server.setSettings(settingsOf(one, Date.now()))
      return one.given?.token_store === "failing" ? server.createDriverWithoutStore() : server.createDriver()
    },
    nowMs: () => Date.now(),
  })
})

describe("person and group cases over HTTP, read back by GraphQL and HogQL", () => runPersonCases(() => server.api))
describe("timestamp cases over HTTP, read back by HogQL", () => runTimestampCases(() => server.api))
describe("replay cases over HTTP, read back by HogQL", () => runReplayCases(() => server.api))
describe("capture cases over GraphQL, read back by GraphQL and HogQL", () => runGraphqlCaptureCases(server))
