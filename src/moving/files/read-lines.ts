import type { Readable } from "node:stream"
import { MAX_LINE_BYTES } from "./row-limits.js"

const LINE_FEED = 0x0a

/** A line of a file, without its end. */
export interface Line {
  /** Cut behind 16 MiB. */
  readonly text: string
  /** Byte behind the line feed. */
  readonly nextAt: number
}

/** The lines of a stream of UTF-8: line feeds alone end them, because JSON may hold other ends of lines in its texts. */
export async function* readLines(stream: Readable): AsyncGenerator<Line> {
  let line: Buffer[] = []
  let length = 0
  let at = 0
  const add = (bytes: Buffer): void => {
    if (length < MAX_LINE_BYTES) line.push(bytes.subarray(0, MAX_LINE_BYTES - length))
    length += bytes.length
    at += bytes.length
  }
  const take = (): string => {
    const [first = Buffer.alloc(0), ...others] = line
    line = []
    length = 0
    return (others.length === 0 ? first : Buffer.concat([first, ...others])).toString()
  }
  for await (const piece of stream) {
    const chunk: Buffer = piece
    let from = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      add(chunk.subarray(from, end))
      from = end + 1
      at += 1
      yield { text: take(), nextAt: at }
    }
    if (from < chunk.length) add(chunk.subarray(from))
  }
  if (length > 0) yield { text: take(), nextAt: at }
}
