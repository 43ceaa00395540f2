import { afterAll, beforeAll, describe } from "@jest/globals"
import { runBombCases } from "../features/capture/cases/bomb-cases.js"
import { runHostileCases } from "../features/capture/cases/hostile-cases.js"
import { runPagingCases } from "../features/capture/cases/paging-cases.js"
import { ALL_STARTS_WITHIN_MS, CASE_PROJECT, CaptureCaseServer } from "../support/capture-case-server.js"

const server = new CaptureCaseServer()
beforeAll(() => server.start(), ALL_STARTS_WITHIN_MS)
afterAll(() => server.stop())

const hostile = { createDriver: async () => server.createDriver(), ownProject: CASE_PROJECT }

describe("hostile capture bodies over HTTP", () => runHostileCases("capture-bodies", hostile))
describe("hostile compressed bodies over HTTP", () => runHostileCases("compressed", hostile))
describe("numbers as property values over HTTP", () => runHostileCases("numbers-paging", hostile))
describe("odd paging and query strings on every list", () => runPagingCases(() => server.api))
describe("bombs over HTTP", () =>
  runBombCases(
    () => server.createDriver(),
    () => server.process.child.pid as number,
  ))
