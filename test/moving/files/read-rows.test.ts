import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals"
import type { FoundRow } from "../../../src/moving/files/found-row.js"
import { readRows } from "../../../src/moving/files/read-rows.js"

describe("the rows of a file", () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "waymark-rows-"))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  async function read(name: string, content: string | Buffer): Promise<FoundRow[]> {
    writeFileSync(join(folder, name), content)
    const rows: FoundRow[] = []
    for await (const row of readRows(join(folder, name))) rows.push(row)
    return rows
  }

  const nested = (levels: number) => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`

  test("that are nested deeper than a request may be are unreadable, and those after them are read", async () => {
    const rows = await read("a.jsonl", [nested(90), nested(91), nested(200_000), '{"b":1}'].join("\n"))
    expect(rows.map(({ row }) => row !== null)).toEqual([true, false, false, true])
  })

  test("that are longer than any event are unreadable, however small they were packed", async () => {
    const long = `{"a":"${"x".repeat(17 * 1024 * 1024)}"}`
    const rows = await read("a.jsonl.gz", gzipSync(`${long}\n{"b":1}\n`))
    expect(rows).toEqual([
      { place: "a.jsonl.gz line 1", row: null },
      { place: "a.jsonl.gz line 2", row: { b: 1 } },
    ])
  })

  test.each([
    ["cut.jsonl.gz", gzipSync("{}\n".repeat(100_000)).subarray(0, 100), "unexpected end of file"],
    ["plain.jsonl.gz", "{}\n", "incorrect header check"],
    ["text.parquet", "no rows here", "parquet file invalid"],
    ["quote.csv", 'a,b\n1,"2\n', "Quote Not Closed"],
  ])("of %s cannot be read, and the file is named", async (name, content, reason) => {
    const fault = await read(name, content).catch(String)
    expect(fault).toContain(`${join(folder, name)} cannot be read: `)
    expect(fault).toContain(reason)
  })
})
