import { expect, test } from "@jest/globals"
import { maxWalBytes, serverArguments } from "../../../src/platform/embedded/embedded-postgres-settings.js"

const MIB = 1024 * 1024

test.each([
  [600, 64],
  [4_096, 256],
  [500_000, 512],
])("on a disk of %d MiB the write-ahead log takes %d MiB at most", (diskMib, walMib) => {
  expect(maxWalBytes(diskMib * MIB) / MIB).toBe(walMib)
})

test("a small write-ahead log keeps fewer files to write again", () => {
  expect(serverArguments("/data", "/socket", 64 * MIB)).toEqual(
    expect.arrayContaining(["max_wal_size=64MB", "min_wal_size=32MB"]),
  )
  expect(serverArguments("/data", "/socket", 512 * MIB)).toContain("min_wal_size=80MB")
})
