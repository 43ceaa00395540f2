import { afterAll, beforeAll, describe } from "@jest/globals"
import { runHttpCases } from "../features/capture/cases/http-cases.js"
import { CaptureCaseServer } from "../support/capture-case-server.js"

const server = new CaptureCaseServer()
beforeAll(() => server.start())
afterAll(() => server.stop())

describe("capture cases over HTTP, read back by HogQL", () => {
  runHttpCases({
    createDriver: async ({ given }) =>
      given?.token_store === "failing" ? server.createDriverWithoutStore() : server.createDriver(),
    nowMs: () => Date.now(),
  })
})
