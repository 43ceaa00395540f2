import { Readable } from "node:stream"
import { describe, expect, test } from "@jest/globals"
import { createRowWriter } from "../../../../src/features/queries/exports/export-format.js"
import { readRows } from "../../../../src/features/queries/exports/export-rows.js"
import { parseExactJson } from "../../../../src/kernel/exact-json.js"
import type { Json } from "../../../../src/kernel/json.js"

const shape = (columns: string[], types = columns.map(() => "String")) => ({
  columns,
  types,
  timezone: "Europe/Berlin",
})

async function read(bytes: Buffer, pieceSize: number, { limit = 100, isExact = false } = {}) {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += pieceSize) pieces.push(bytes.subarray(at, at + pieceSize))
  const count = { rows: 0, isCut: false }
  let text = ""
  const source = { lines: Readable.from(pieces), shape: shape(["a", "b"]), limit, isExact, count }
  for await (const piece of readRows("csv", source)) text += piece
  return { text, ...count }
}

describe("a text export", () => {
  const written = [
    ["é", 1],
    ["line\nend", null],
    ["💥", 3],
  ]
  const bytes = Buffer.from(written.map((row) => `${JSON.stringify(row)}\n`).join(""))

  test("is the same wherever the engine cuts its pieces, even within a character", async () => {
    for (const pieceSize of [1, 2, 3, 7, bytes.length])
      expect((await read(bytes, pieceSize)).text).toBe('a,b\r\né,1\r\n"line\nend",\r\n💥,3\r\n')
  })

  test("shows no row after the limit and says so", async () => {
    expect(await read(bytes, 8, { limit: 2 })).toEqual({ text: 'a,b\r\né,1\r\n"line\nend",\r\n', rows: 2, isCut: true })
    expect(await read(bytes, 8, { limit: 3 })).toMatchObject({ rows: 3, isCut: false })
    expect(await read(bytes, 8, { limit: 2, isExact: true })).toMatchObject({ rows: 3, isCut: false })
  })

  test("of no rows has its head alone", async () => {
    expect((await read(Buffer.alloc(0), 1)).text).toBe("a,b\r\n")
  })
})

describe("a CSV cell", () => {
  const cases: [value: Json, cell: string][] = [
    ["plain", "plain"],
    ["", '""'],
    [null, ""],
    [0, "0"],
    [-5.5, "-5.5"],
    [true, "true"],
    ["a,b", '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ["a\r\nb", '"a\r\nb"'],
    ["=cmd()", "'=cmd()"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    [parseExactJson("-9223372036854775808"), "-9223372036854775808"],
    [parseExactJson("[-9223372036854775808]"), "[-9223372036854775808]"],
    ["@x", "'@x"],
    ["\t=x", "'\t=x"],
    ['=a,"b"', `"'=a,""b"""`],
    [["x", 1], '"[""x"",1]"'],
    [{ a: 1 }, '"{""a"":1}"'],
  ]
  test.each(cases)("of %j is %j", (value, cell) => {
    expect(createRowWriter("csv", shape(["a"])).write([[value]])).toBe(`${cell}\r\n`)
  })

  test("may be a column's name", () => {
    expect(createRowWriter("csv", shape(['=x,"y"', "b"])).head).toBe(`"'=x,""y""",b\r\n`)
  })
})

describe("a line of JSON", () => {
  test("has each column once, with times in the project's zone", () => {
    const writer = createRowWriter("jsonl", shape(["a", "a", "at"], ["String", "UInt8", "DateTime"]))
    expect(writer.head).toBe("")
    expect(writer.write([["x\ny", 1, "2026-07-01T10:00:00Z"]])).toBe(
      '{"a":"x\\ny","a_2":1,"at":"2026-07-01T12:00:00+02:00"}\n',
    )
  })
})
