import { unparsable } from "./faults.js"

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Counts how deep a JSON text nests without parsing it, chunk by chunk. `JSON.parse` takes five million opening brackets,
 * and everything that walks the result afterwards runs out of stack (`reliability.md` B6).
 */
export class NestingGuard {
  private depth = 0
  private inText = false
  private escaped = false

  constructor(private readonly maxDepth: number) {}

  /** @throws AppError malformed_data as soon as the text nests deeper than allowed. */
  scan(bytes: Uint8Array): void {
    let { depth, inText, escaped } = this
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index]
      if (inText) {
        if (escaped) escaped = false
        else if (byte === BACKSLASH) escaped = true
        else if (byte === QUOTE) inText = false
      } else if (byte === QUOTE) inText = true
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        depth++
        if (depth > this.maxDepth) throw unparsable(`it nests deeper than ${this.maxDepth} levels.`)
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--
    }
    this.depth = depth
    this.inText = inText
    this.escaped = escaped
  }
}
