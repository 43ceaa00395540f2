import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "@jest/globals"
import { temporaryDirectory } from "../support/waymark-process.js"

const ANALYZE = "/usr/bin/systemd-analyze"
/** Of 100, in tenths of what systemd shows; it calls 20 and less "OK" or better. */
const EXPOSURE_AT_MOST = 20

const scratch = temporaryDirectory()
afterAll(() => scratch.remove())

function hasSystemd(): boolean {
  if (existsSync(ANALYZE)) return true
  console.warn(`SKIPPED: tests of the unit, because there is no ${ANALYZE}`)
  return false
}

/** The unit for this very checkout, so that the program it names is there. */
function writeUnit(): string {
  const path = join(scratch.path, "waymark.service")
  writeFileSync(path, readFileSync("deploy/systemd/waymark.service", "utf8").replaceAll("/opt/waymark", process.cwd()))
  return path
}

const analyze = (...options: string[]) => spawnSync(ANALYZE, options, { encoding: "utf8" })

;(hasSystemd() ? describe : describe.skip)("the unit of systemd", () => {
  test("is understood whole, and names a program that is there", () => {
    const { status, stdout, stderr } = analyze("verify", "--recursive-errors=no", writeUnit())
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" })
  })

  test("gives the service no more of the machine than systemd finds acceptable", () => {
    const { status, stdout } = analyze("security", "--offline=true", `--threshold=${EXPOSURE_AT_MOST}`, writeUnit())
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining("Overall exposure level") })
  })
})
