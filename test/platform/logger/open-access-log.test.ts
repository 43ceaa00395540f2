import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals"
import { createLogger } from "../../../src/platform/logger/logger.js"
import { openAccessLog } from "../../../src/platform/logger/open-access-log.js"
import { waitFor } from "../../support/wait-for.js"

const entry = { time: "", method: "GET", route: "health", status: 200, ms: 1, bytes: 2, project: null }

describe("an access log", () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "waymark-access-log-"))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test("that cannot be written is a line of the log when that begins, and one when it is over", async () => {
    const lines: string[] = []
    const logger = createLogger({ level: "info", destination: { write: (line) => lines.push(line) } })
    const inside = join(folder, "logs")
    mkdirSync(inside)
    const log = openAccessLog(join(inside, "access.log"), logger)
    renameSync(inside, join(folder, "moved"))
    log.reopen()
    await waitFor("the warning", () => lines.length > 0)
    mkdirSync(inside)
    log.reopen()
    await waitFor("a line in the new file", () => {
      log.write(entry)
      return readFileSync(join(inside, "access.log"), "utf8").includes("health")
    })
    log.close()
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      "the access log cannot be written",
      "the access log is written again",
    ])
  })
})
