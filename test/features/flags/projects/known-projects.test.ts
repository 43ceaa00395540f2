import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals"
import type { KeyedProject, ProjectDirectory } from "../../../../src/features/flags/flags.types.js"
import { createKnownProjects } from "../../../../src/features/flags/projects/known-projects.store.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { createManualClock } from "../../../support/manual-clock.js"

const SENDER = "192.0.2.1"

describe("projects found by key", () => {
  let snapshotDirectory: string
  let projects: Map<string, KeyedProject>
  let isDown: boolean
  let asked: number
  const clock = createManualClock(0)
  const directory: Pick<ProjectDirectory, "findByKey" | "findCached"> = {
    findCached: () => undefined,
    findByKey: async (token) => {
      asked++
      if (isDown) throw new Error("PostgreSQL is down")
      return projects.get(token) ?? null
    },
  }
  const create = () => createKnownProjects({ directory, clock, logger: silentLogger, snapshotDirectory })
  beforeEach(() => {
    snapshotDirectory = mkdtempSync(join(tmpdir(), "waymark-known-projects-"))
    projects = new Map([["phc_a", { id: asProjectId(7), settings: { session_recording: false } }]])
    isDown = false
    asked = 0
  })
  afterEach(() => rmSync(snapshotDirectory, { recursive: true, force: true }))

  const KNOWN = { projectId: 7, token: "phc_a", settings: { session_recording: false } }

  test("are remembered over a restart without any store", async () => {
    const before = create()
    expect(await before.findByKey("phc_a", SENDER)).toEqual(KNOWN)
    await before.settle()
    isDown = true
    const after = create()
    await after.start()
    expect(await after.findByKey("phc_a", SENDER)).toEqual(KNOWN)
  })

  test("are answered from memory for a while when the directory fails, then asked again", async () => {
    const known = create()
    await known.findByKey("phc_a", SENDER)
    isDown = true
    for (let turn = 0; turn < 5; turn++) expect(await known.findByKey("phc_a", SENDER)).toEqual(KNOWN)
    expect(asked).toBe(2)
    isDown = false
    projects.delete("phc_a")
    clock.advance(5_000)
    expect(await known.findByKey("phc_a", SENDER)).toBeNull()
  })

  test("that were never seen reject while the directory fails", async () => {
    isDown = true
    await expect(Promise.resolve(create().findByKey("phc_b", SENDER))).rejects.toThrow("down")
  })

  test("of a revoked key are forgotten on disk too", async () => {
    const known = create()
    await known.findByKey("phc_a", SENDER)
    projects.clear()
    expect(await known.findByKey("phc_a", SENDER)).toBeNull()
    await known.settle()
    isDown = true
    const after = create()
    await after.start()
    await expect(Promise.resolve(after.findByKey("phc_a", SENDER))).rejects.toThrow("down")
  })

  test("are not looked up for what cannot be a key", async () => {
    const known = create()
    for (const token of ["", "a b", "a\u0000", "é", "k".repeat(201)])
      expect(await known.findByKey(token, SENDER)).toBeNull()
    expect(asked).toBe(0)
  })
})
