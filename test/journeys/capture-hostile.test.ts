import { afterAll, beforeAll, describe } from "@jest/globals"
import { runHostileCases } from "../features/capture/cases/hostile-cases.js"
import { CASE_PROJECT, CaptureCaseServer } from "../support/capture-case-server.js"

const server = new CaptureCaseServer()
beforeAll(() => server.start())
afterAll(() => server.stop())

const hostile = { createDriver: async () => server.createDriver(), ownProject: CASE_PROJECT }

describe("hostile capture bodies over HTTP", () => runHostileCases("capture-bodies", hostile))
describe("hostile compressed bodies over HTTP", () => runHostileCases("compressed", hostile))
describe("numbers as property values over HTTP", () => runHostileCases("numbers-paging", hostile))
