import type { Readable } from "node:stream"

const LINE_FEED = 0x0a

/** A line of a file, without its end. */
export interface Line {
  readonly text: string
  /** Byte behind the line feed. */
  readonly nextAt: number
}

/** The lines of a stream of UTF-8: line feeds alone end them, because JSON may hold other ends of lines in its texts. */
export async function* readLines(stream: Readable): AsyncGenerator<Line> {
  let rest: Buffer[] = []
  let at = 0
  for await (const piece of stream) {
    const chunk: Buffer = piece
    let from = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      const bytes = rest.length === 0 ? chunk.subarray(from, end) : Buffer.concat([...rest, chunk.subarray(from, end)])
      rest = []
      from = end + 1
      at += bytes.length + 1
      yield { text: bytes.toString(), nextAt: at }
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
  }
  if (rest.length === 0) return
  const last = Buffer.concat(rest)
  yield { text: last.toString(), nextAt: at + last.length }
}
