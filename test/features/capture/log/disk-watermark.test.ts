import { describe, expect, test } from "@jest/globals"
import { withDiskWatermark } from "../../../../src/features/capture/log/disk-watermark.js"
import { toPublicError } from "../../../../src/kernel/errors.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { InMemoryIngestLog } from "../../../support/in-memory-ingest-log.js"

const MIB = 1024 * 1024
const BATCH = { projectId: asProjectId(1), receivedAtMs: 0, clientIp: "", historicalMigration: false, events: [] }

describe("the disk watermark of capture", () => {
  test("refuses events with 503 and a time to retry after while less is free, and takes them again by itself", async () => {
    const disk = { freeBytes: 300 * MIB }
    const inner = new InMemoryIngestLog()
    const log = withDiskWatermark(
      inner,
      { diskSpace: { freeBytes: () => disk.freeBytes }, minFreeBytes: 256 * MIB },
      () => 0,
      silentLogger,
    )
    await log.append(BATCH)
    disk.freeBytes = 256 * MIB - 1
    const refusal = await log.append(BATCH).catch((fault: unknown) => toPublicError(fault, String))
    expect(refusal).toMatchObject({
      status: 503,
      retryAfterSeconds: 10,
      detail: expect.stringContaining("less than 256 MiB free (MIN_FREE_DISK_MB"),
    })
    expect(inner.batches).toHaveLength(1)
    disk.freeBytes = 256 * MIB
    await log.append(BATCH)
    expect(inner.batches).toHaveLength(2)
  })

  test("leaves room for storing what was accepted, which takes several times of what waits", async () => {
    const backlog = { bytes: 8 * MIB }
    const disk = { diskSpace: { freeBytes: () => 300 * MIB }, minFreeBytes: 256 * MIB }
    const log = withDiskWatermark(new InMemoryIngestLog(), disk, () => backlog.bytes, silentLogger)
    await log.append(BATCH)
    backlog.bytes += MIB
    await expect(log.append(BATCH)).rejects.toMatchObject({ code: "store_unavailable" })
    backlog.bytes = 0
    await log.append(BATCH)
  })
})
