import { spawn } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals"
import { openDataDirectory } from "../../../src/platform/embedded/data-directory.js"
import { identifyProcess } from "../../../src/platform/embedded/process-identity.js"
import { StartupError } from "../../../src/platform/embedded/startup-error.js"

let parent: string
let path: string

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "waymark-data-"))
  path = join(parent, "var", "waymark")
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

const modeOf = (directory: string): number => statSync(directory).mode & 0o777

describe("the data directory", () => {
  test("is made with its parents, which stay open to others while it is not", () => {
    openDataDirectory(path)
    expect(modeOf(path)).toBe(process.getuid?.() === 0 ? 0o711 : 0o700)
    expect(modeOf(join(parent, "var")) & 0o055).not.toBe(0)
  })

  test("is refused while another process has it, in one line that says which", () => {
    openDataDirectory(path)
    expect(() => openDataDirectory(path)).toThrow(
      new StartupError(
        `Data directory ${path} is in use by process ${process.pid}. Stop it or set DATA_DIR to another directory.`,
      ),
    )
  })

  test("can be opened again once it is released", () => {
    openDataDirectory(path).release()
    expect(existsSync(join(path, "waymark.lock"))).toBe(false)
    openDataDirectory(path)
  })

  test("is taken over from a process that died", async () => {
    openDataDirectory(path).release()
    const child = spawn("sleep", ["600"])
    const identity = identifyProcess(child.pid as number)
    writeFileSync(join(path, "waymark.lock"), JSON.stringify(identity))
    expect(() => openDataDirectory(path)).toThrow(`in use by process ${child.pid}`)
    child.kill("SIGKILL")
    await new Promise((resolve) => child.once("exit", resolve))
    openDataDirectory(path)
    expect(readdirSync(path)).toEqual(["waymark.lock"])
  })

  test("is taken over when the pid of the one that died belongs to somebody else", () => {
    openDataDirectory(path).release()
    writeFileSync(join(path, "waymark.lock"), JSON.stringify({ pid: process.pid, startedAt: "an earlier start" }))
    openDataDirectory(path)
  })

  test.each(["", "{", "17"])("is taken over when its lock is damaged: '%s'", (content) => {
    openDataDirectory(path).release()
    writeFileSync(join(path, "waymark.lock"), content)
    openDataDirectory(path)
  })

  test("is opened when it is a copy of one that is in use, which it leaves alone", () => {
    openDataDirectory(path)
    const copy = join(parent, "copy")
    cpSync(path, copy, { recursive: true })
    openDataDirectory(copy)
    for (const directory of [path, copy])
      expect(() => openDataDirectory(directory)).toThrow(`in use by process ${process.pid}`)
  })

  test("keeps its lock when one that was opened earlier is released late", () => {
    const first = openDataDirectory(path)
    writeFileSync(join(path, "waymark.lock"), JSON.stringify({ pid: 1, startedAt: "another process" }))
    first.release()
    expect(existsSync(join(path, "waymark.lock"))).toBe(true)
  })

  test("that cannot be written is refused in one line", () => {
    const file = join(parent, "file")
    writeFileSync(file, "")
    expect(() => openDataDirectory(join(file, "data"))).toThrow(
      `Data directory ${file}/data cannot be written: ENOTDIR: not a directory, mkdir '${file}/data'. Set DATA_DIR to another directory.`,
    )
    expect(() => openDataDirectory("/proc/waymark")).toThrow("Data directory /proc/waymark cannot be written: ENOENT")
  })
})
