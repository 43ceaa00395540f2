import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals"
import { openBackupFolder, removeOtherFiles, SUBFOLDERS } from "../../src/backup/backup-folder.js"

describe("the folder of a backup", () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "waymark-backup-folder-"))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const put = (path: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), "x")
  }

  test("is not one that databases of others live in, whatever their folders are called", async () => {
    put("postgres/PG_VERSION")
    put("clickhouse/store/part.bin")
    await expect(openBackupFolder(folder, "a")).rejects.toThrow("holds something else than a backup, such as")
  })

  test("may be empty, absent, or that of a first backup which was broken off", async () => {
    const absent = join(folder, "new")
    expect(await openBackupFolder(absent, "a")).toBeNull()
    mkdirSync(join(absent, "postgres/20261128T120000000Z"), { recursive: true })
    expect(await openBackupFolder(absent, "a")).toBeNull()
    writeFileSync(join(absent, "notes.txt"), "x")
    await expect(openBackupFolder(absent, "a")).rejects.toThrow("such as notes.txt")
  })

  test("loses what the manifest does not name, and the folders that are empty then", async () => {
    for (const path of ["postgres/old/person.copy.gz", "postgres/new/person.copy.gz", "data/stray"]) put(path)
    symlinkSync(folder, join(folder, "data/link"))
    await removeOtherFiles(folder, SUBFOLDERS, [{ path: "postgres/new/person.copy.gz", bytes: 1, sha256: "00" }])
    expect(readdirSync(join(folder, "postgres"))).toEqual(["new"])
    expect(existsSync(join(folder, "data/stray"))).toBe(false)
  })
})
