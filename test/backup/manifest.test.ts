import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals"
import { findManifest, listFiles, readManifest, writeManifest } from "../../src/backup/manifest.js"
import { requireKnownTables } from "../../src/backup/restore-backup.js"

const file = (path: string) => ({ path, bytes: 1, sha256: "00" })
const content = {
  waymark: "0.1.0",
  takenAt: "2026-11-28T12:00:00.000Z",
  storeId: "a",
  postgres: {
    migrations: [],
    sequences: [{ name: "person_id", value: "9007199254740993" }],
    tables: [{ name: "person", columns: ["id"], rows: 1, file: file("postgres/now/person.copy.gz") }],
  },
  clickHouse: {
    migrations: [],
    tables: [
      {
        name: "events",
        columns: ["uuid"],
        hasEnd: false,
        parts: [
          { day: "2026-11-28", rows: 1, checksum: "18446744073709551615", file: file("clickhouse/events/a.parquet") },
        ],
      },
    ],
  },
  dataFiles: [file("data/now/flag-payload-key")],
}

describe("the manifest of a backup", () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "waymark-manifest-"))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test("is read as it was written, and names every file", async () => {
    const written = await writeManifest(folder, content)
    expect(await readManifest(folder)).toEqual(written)
    expect(listFiles(written).map(({ path }) => path)).toEqual([
      "postgres/now/person.copy.gz",
      "clickhouse/events/a.parquet",
      "data/now/flag-payload-key",
    ])
  })

  test("is missing from a folder that holds no backup", async () => {
    expect(await findManifest(folder)).toBeNull()
    await expect(readManifest(folder)).rejects.toThrow(`${folder} holds no backup: there is no manifest.json in it.`)
  })

  test.each([
    ["cut off", (text: string) => text.slice(0, 100)],
    ["of another format", (text: string) => text.replace('"format": 1', '"format": 2')],
    ["with a file outside of the folder", (text: string) => text.replace("data/now/", "data/../../")],
  ])("is refused when it is %s", async (_, change) => {
    await writeManifest(folder, content)
    const path = join(folder, "manifest.json")
    writeFileSync(path, change(readFileSync(path, "utf8")))
    await expect(readManifest(folder)).rejects.toThrow(`${path} is not a manifest that this program reads:`)
  })

  test("of a newer Waymark is refused by the name of what is unknown", async () => {
    const migrations = [{ name: "9999_future", checksum: "00" }]
    const written = await writeManifest(folder, { ...content, clickHouse: { ...content.clickHouse, migrations } })
    await expect(requireKnownTables(written)).rejects.toThrow(
      "The backup is of a newer Waymark (migration 9999_future). Restore it with that version.",
    )
  })
})
