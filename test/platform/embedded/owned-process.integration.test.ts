import { type ChildProcess, spawn } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals"
import { findOrphan, recordOwnership, stopOrphan, stopProcess } from "../../../src/platform/embedded/owned-process.js"
import { identifyProcess, isRunning, type ProcessIdentity } from "../../../src/platform/embedded/process-identity.js"
import { type ChildSpecification, superviseChild } from "../../../src/platform/embedded/supervised-child.js"
import { type Logger, silentLogger } from "../../../src/platform/logger/logger.js"
import { waitFor } from "../../support/wait-for.js"

let directory: string
let ownershipFile: string
const children: ChildProcess[] = []

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "waymark-processes-"))
  ownershipFile = join(directory, "process.json")
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL")
  rmSync(directory, { recursive: true, force: true })
})

function run(script: string): ChildProcess {
  const child = spawn("sh", ["-c", script], { stdio: "ignore" })
  children.push(child)
  return child
}
const sleeping = (): ChildProcess => run("exec sleep 600")
const identityOf = (child: ChildProcess): ProcessIdentity => identifyProcess(child.pid as number) as ProcessIdentity
/** A shell that has set its trap says so with a file. */
async function runDeaf(): Promise<ChildProcess> {
  const ready = join(directory, "deaf")
  const child = run(`trap '' TERM; touch '${ready}'; while :; do sleep 0.05; done`)
  await waitFor("the trap", () => existsSync(ready))
  return child
}

describe("the identity of a process", () => {
  test("is the same each time it is read and ends with the process", async () => {
    const child = sleeping()
    const identity = identityOf(child)
    expect(identityOf(child)).toEqual(identity)
    child.kill("SIGKILL")
    await waitFor("its end", () => !isRunning(identity))
    expect(identifyProcess(identity.pid)).toBeNull()
  })

  test.each([0, -1, 1.5, Number.NaN])("does not exist for the pid %d", (pid) => {
    expect(identifyProcess(pid)).toBeNull()
  })
})

describe("a process left by an earlier run", () => {
  test("is found again and stopped", async () => {
    const child = sleeping()
    recordOwnership(ownershipFile, child.pid as number)
    const identity = identityOf(child)
    expect(findOrphan(ownershipFile)).toEqual(identity)
    expect(await stopOrphan(ownershipFile, [{ signal: "SIGTERM", waitMs: 5_000 }])).toEqual(identity)
    expect(isRunning(identity)).toBe(false)
    expect(existsSync(ownershipFile)).toBe(false)
  })

  test("is never a stranger who got its pid later", async () => {
    const stranger = sleeping()
    const identity = identityOf(stranger)
    writeFileSync(ownershipFile, JSON.stringify({ pid: identity.pid, startedAt: "an earlier start" }))
    expect(await stopOrphan(ownershipFile, [{ signal: "SIGKILL", waitMs: 5_000 }])).toBeNull()
    expect(isRunning(identity)).toBe(true)
  })

  test("is never the process of a directory that this one was copied from", async () => {
    const original = join(directory, "original")
    mkdirSync(original)
    const child = sleeping()
    recordOwnership(join(original, "process.json"), child.pid as number)
    const [copy, moved] = [join(directory, "copy"), join(directory, "moved")]
    cpSync(original, copy, { recursive: true })
    expect(await stopOrphan(join(copy, "process.json"), [{ signal: "SIGKILL", waitMs: 5_000 }])).toBeNull()
    expect(isRunning(identityOf(child))).toBe(true)
    renameSync(original, moved)
    expect(findOrphan(join(moved, "process.json"))).toEqual(identityOf(child))
  })

  test.each(["", "{", "null", '{"pid":"1"}'])("is not looked for in a damaged record '%s'", (record) => {
    writeFileSync(ownershipFile, record)
    expect(findOrphan(ownershipFile)).toBeNull()
  })

  test("is killed when it does not listen", async () => {
    const child = await runDeaf()
    const identity = identityOf(child)
    await stopProcess(identity, [{ signal: "SIGTERM", waitMs: 50 }])
    expect(isRunning(identity)).toBe(false)
  })
})

describe("a supervised child", () => {
  const specify = (overrides: Partial<ChildSpecification> = {}): ChildSpecification => ({
    name: "sleeper",
    spawn: sleeping,
    waitUntilReady: async () => undefined,
    failurePattern: /^reason: (.*)$/,
    outputLevel: "debug",
    ownershipFile,
    stopSignal: "SIGTERM",
    stopTimeoutMs: 5_000,
    logger: silentLogger,
    ...overrides,
  })

  test("is started again when it dies, and again when it dies at once", async () => {
    let starts = 0
    const waitUntilReady = async (): Promise<void> => {
      starts++
    }
    const child = await superviseChild(specify({ waitUntilReady }))
    for (const expected of [2, 3]) {
      process.kill(child.pid() as number, "SIGKILL")
      await waitFor("the restart", () => starts === expected)
    }
    expect(findOrphan(ownershipFile)?.pid).toBe(child.pid())
    await child.stop()
  })

  test("that gives a reason for its deaths has it logged at error, once", async () => {
    const errors: object[] = []
    const listening: Logger = { ...silentLogger, error: (message, fields) => errors.push({ message, ...fields }) }
    const failing = (): ChildProcess => {
      const child = spawn("sh", ["-c", `echo "reason: no room for file $$" >&2; exec sleep 600`])
      children.push(child)
      return child
    }
    let starts = 0
    const waitUntilReady = async (): Promise<void> => void starts++
    const child = await superviseChild(specify({ spawn: failing, waitUntilReady, logger: listening }))
    const told = () => errors.filter((each) => "reason" in each && String(each.reason).startsWith("no room"))
    for (const expected of [2, 3, 4]) {
      await waitFor("its reason", () => expected === 2 || told().length > 0)
      process.kill(child.pid() as number, "SIGKILL")
      await waitFor("the restart", () => starts === expected)
    }
    expect(told()).toEqual([
      { message: "child says why it fails", child: "sleeper", reason: expect.stringMatching(/^no room for file \d+$/) },
    ])
    await child.stop()
  })

  test("is started again until it succeeds", async () => {
    let starts = 0
    const waitUntilReady = async (): Promise<void> => {
      starts++
      if (starts === 2 || starts === 3) throw new Error("not this time")
    }
    const child = await superviseChild(specify({ waitUntilReady }))
    process.kill(child.pid() as number, "SIGKILL")
    await waitFor("the fourth start", () => starts === 4)
    expect(child.pid()).not.toBeNull()
    await child.stop()
  })

  test("stays down once it is stopped", async () => {
    const child = await superviseChild(specify())
    const pid = child.pid() as number
    await Promise.all([child.stop(), child.stop()])
    expect(child.pid()).toBeNull()
    expect(identifyProcess(pid)).toBeNull()
    expect(children).toHaveLength(1)
    expect(existsSync(ownershipFile)).toBe(false)
  })

  test("is killed when it does not stop in time", async () => {
    let deaf: ChildProcess = await runDeaf()
    const child = await superviseChild(specify({ spawn: () => deaf, stopTimeoutMs: 50 }))
    await child.stop()
    expect(deaf.signalCode).toBe("SIGKILL")
    deaf = sleeping()
  })

  test("that ends before it is ready fails the first start and leaves nothing", async () => {
    const never = (_child: ChildProcess, signal: AbortSignal): Promise<void> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason))
      })
    await expect(superviseChild(specify({ spawn: () => run("exit 3"), waitUntilReady: never }))).rejects.toThrow(
      "sleeper ended before it was ready: exit status 3",
    )
    expect(children).toHaveLength(1)
  })

  test("whose program does not exist fails the first start", async () => {
    const spawnNothing = (): ChildProcess => spawn(join(directory, "nothing"))
    const never = (): Promise<void> => new Promise(() => undefined)
    await expect(superviseChild(specify({ spawn: spawnNothing, waitUntilReady: never }))).rejects.toThrow("ENOENT")
  })

  test("of an earlier run is stopped before the new one starts", async () => {
    const earlier = sleeping()
    const identity = identityOf(earlier)
    recordOwnership(ownershipFile, identity.pid)
    let wasRunning = true
    const beforeStart = async (): Promise<void> => {
      wasRunning = isRunning(identity)
    }
    const child = await superviseChild(specify({ beforeStart }))
    expect(wasRunning).toBe(false)
    await child.stop()
  })
})
