import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals"
import { createLogger, silentLogger } from "../../../src/platform/logger/logger.js"
import { openAccessLog } from "../../../src/platform/logger/open-access-log.js"
import { waitFor } from "../../support/wait-for.js"

const entry = { time: "", method: "GET", route: "health", status: 200, ms: 1, bytes: 2, project: null }

describe("an access log", () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "waymark-access-log-"))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const onFullDisk = existsSync("/dev/full") ? test : test.skip
  onFullDisk("on a full disk is closed without what it cannot write", async () => {
    const log = openAccessLog("/dev/full", silentLogger)
    log.write(entry)
    await log.close()
  })

  test("goes on in the file before where no new one can be opened, and in a new one once it can", async () => {
    const lines: string[] = []
    const logger = createLogger({ level: "info", destination: { write: (line) => lines.push(line) } })
    const inside = join(folder, "logs")
    mkdirSync(inside)
    const log = openAccessLog(join(inside, "access.log"), logger)
    const hasLine = () => {
      log.write(entry)
      return readFileSync(join(inside, "access.log"), "utf8").includes("health")
    }
    await waitFor("a line in the file", hasLine)
    renameSync(inside, join(folder, "moved"))
    log.reopen()
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      "no new access log can be opened, and the one before goes on",
    ])
    mkdirSync(inside)
    log.reopen()
    await waitFor("a line in the new file", hasLine)
    await log.close()
    expect(lines).toHaveLength(1)
  })
})
