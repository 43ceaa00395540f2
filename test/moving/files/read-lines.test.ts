import { Readable } from "node:stream"
import { describe, expect, test } from "@jest/globals"
import { type Line, readLines } from "../../../src/moving/files/read-lines.js"

async function read(...pieces: string[]): Promise<Line[]> {
  const lines: Line[] = []
  for await (const line of readLines(Readable.from(pieces.map((piece) => Buffer.from(piece))))) lines.push(line)
  return lines
}

describe("the lines of a stream", () => {
  test("end where a line feed is, however the stream is cut, and say where the next one begins", async () => {
    expect(await read("a", "b\n\ncé\r", "d\ne")).toEqual([
      { text: "ab", nextAt: 3 },
      { text: "", nextAt: 4 },
      { text: "cé\rd", nextAt: 10 },
      { text: "e", nextAt: 11 },
    ])
  })

  test("are cut where they are too long, and the next one is whole", async () => {
    const mebibyte = "x".repeat(1024 * 1024)
    const [first, second] = await read(...Array.from({ length: 20 }, () => mebibyte), "\nend\n")
    expect(first?.text.length).toBe(16 * 1024 * 1024)
    expect(second).toEqual({ text: "end", nextAt: 20 * 1024 * 1024 + 5 })
  })
})
