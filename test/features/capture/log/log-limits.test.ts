import { describe, expect, test } from "@jest/globals"
import { type LogLimits, withLogLimits } from "../../../../src/features/capture/log/log-limits.js"
import { toPublicError } from "../../../../src/kernel/errors.js"
import { asProjectId, type ProjectId } from "../../../../src/kernel/ids.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { InMemoryIngestLog } from "../../../support/in-memory-ingest-log.js"

const MIB = 1024 * 1024
const [FLOODING, QUIET] = [asProjectId(1), asProjectId(2)]
const toBatch = (projectId: ProjectId) => ({
  projectId,
  receivedAtMs: 0,
  clientIp: "",
  historicalMigration: false,
  events: [],
})

/** A log with limits, and what a test changes about the world around it. */
function start({
  maxBacklogBytes = Number.POSITIVE_INFINITY,
  hasDisk = false,
}: {
  maxBacklogBytes?: number
  hasDisk?: boolean
}) {
  const inner = new InMemoryIngestLog()
  const world = { freeBytes: 300 * MIB, waiting: new Map<ProjectId, number>() }
  const limits: LogLimits = {
    maxBacklogBytes,
    disk: hasDisk ? { diskSpace: { freeBytes: () => world.freeBytes }, minFreeBytes: 256 * MIB } : null,
  }
  const backlog = {
    bytes: () => [...world.waiting.values()].reduce((sum, bytes) => sum + bytes, 0),
    bytesOf: (projectId: ProjectId) => world.waiting.get(projectId) ?? 0,
  }
  const log = withLogLimits(inner, limits, backlog, silentLogger)
  const send = (projectId = QUIET) =>
    log.append(toBatch(projectId)).then(
      () => "accepted" as const,
      (fault: unknown) => toPublicError(fault, String),
    )
  return { world, log, send, inner }
}

describe("the limits of the ingest log", () => {
  test("refuse events with 503 and a time to retry after while the disk is nearly full, and end by themselves", async () => {
    const { world, log, send, inner } = start({ hasDisk: true })
    expect(await send()).toBe("accepted")
    world.freeBytes = 256 * MIB - 1
    expect(await send()).toMatchObject({
      status: 503,
      retryAfterSeconds: 10,
      detail: expect.stringContaining("less than 256 MiB free (MIN_FREE_DISK_MB"),
    })
    expect(log.refusal()).toBe("disk")
    expect(inner.batches).toHaveLength(1)
    world.freeBytes = 256 * MIB
    expect(await send()).toBe("accepted")
    expect(log.refusal()).toBeNull()
  })

  test("leave room for storing what was accepted, which takes several times of what waits", async () => {
    const { world, send } = start({ hasDisk: true })
    world.waiting.set(FLOODING, 8 * MIB)
    expect(await send()).toBe("accepted")
    world.waiting.set(FLOODING, 9 * MIB)
    expect(await send()).toMatchObject({ status: 503 })
    world.waiting.clear()
    expect(await send()).toBe("accepted")
  })

  test("refuse events when as many bytes wait as may, and name the setting", async () => {
    const { world, log, send } = start({ maxBacklogBytes: 100 * MIB })
    world.waiting.set(FLOODING, 100 * MIB - 1)
    expect(await send()).toBe("accepted")
    world.waiting.set(FLOODING, 100 * MIB)
    expect(await send()).toMatchObject({
      status: 503,
      retryAfterSeconds: 10,
      detail: expect.stringContaining("100 MiB of events wait to be stored (INGEST_BACKLOG_MB)"),
    })
    expect(log.refusal()).toBe("backlog")
  })

  test("leave room to others when one project floods", async () => {
    const { world, log, send } = start({ maxBacklogBytes: 100 * MIB })
    world.waiting.set(FLOODING, 80 * MIB)
    expect(await send(FLOODING)).toBe("accepted")
    world.waiting.set(FLOODING, 81 * MIB)
    expect(await send(FLOODING)).toMatchObject({ status: 503, detail: expect.stringContaining("of this project wait") })
    expect([await send(QUIET), log.refusal()]).toEqual(["accepted", null])
  })

  test("leave room to others however many projects flood", async () => {
    const { world, send } = start({ maxBacklogBytes: 100 * MIB })
    const flooding = Array.from({ length: 20 }, (_, index) => asProjectId(index + 10))
    for (let round = 0; round < 1_000; round++)
      for (const project of flooding)
        if ((await send(project)) === "accepted")
          world.waiting.set(project, (world.waiting.get(project) ?? 0) + MIB / 10)
    expect(await send(QUIET)).toBe("accepted")
  })
})
