const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Whether a byte is white space between the tokens of JSON. */
export const isJsonSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Beyond all places and depths, and small enough for the engine to count with it as fast as with those. */
const FAR = 2 ** 30
/** Ends the look at a chunk. */
const TOO_DEEP = FAR

/** Parsing so much takes one to three milliseconds, and up to thirty where it is nothing but brackets. */
const RUN_BYTES = 256 * 1024

/**
 * A stretch of a JSON text that can be parsed without the rest: the items of one array or object, or some of them. A run ends
 * before the comma or the bracket that ends it, and the next one begins behind that.
 */
export interface JsonRun {
  readonly start: number
  readonly end: number
  /** Where the brackets stand that are open at its start, the outermost first. The items are those of the last one. */
  readonly openers: readonly number[]
}

/**
 * Looks over a JSON text in UTF-8 without parsing it, chunk by chunk: how deep it nests, and where it may be cut into runs of
 * about the same size. `JSON.parse` takes five million opening brackets, and everything that walks the result afterwards runs
 * out of stack (`reliability.md` B6). Of a text that is no JSON the runs mean nothing but that one of them is none either.
 */
export class JsonOutline {
  private readonly runs: JsonRun[] = []
  /** Where the brackets stand that are open, for as many as `depth` says. */
  private readonly openers: number[] = []
  private depth = 0
  private inText = false
  private escaped = false
  /** Of all chunks before. */
  private scannedBytes = 0
  private runStart = 0
  /** The place in the current chunk where the run is long enough. */
  private cutFrom = 0
  /** Brackets that are open at the start of the current run. */
  private runOpeners: readonly number[] = []
  /** The run ends where the depth falls below this; what is open at no run's start ends none. */
  private floor = -FAR

  constructor(
    private readonly maxDepth: number,
    private readonly runBytes = RUN_BYTES,
  ) {}

  /** Takes the next bytes. False as soon as the text nests deeper than allowed; it is not to be asked again then. */
  scan(bytes: Uint8Array): boolean {
    this.cutFrom = this.runStart + this.runBytes - this.scannedBytes
    let index = 0
    if (bytes.length <= this.cutFrom && this.runOpeners.length === 0)
      while (index < bytes.length) index = this.inText ? this.skipText(bytes, index) : this.countBrackets(bytes, index)
    else while (index < bytes.length) index = this.inText ? this.skipText(bytes, index) : this.cutAtCommas(bytes, index)
    this.scannedBytes += bytes.length
    return index !== TOO_DEEP
  }

  /** The whole text as runs, when no more bytes follow. */
  finish(): readonly JsonRun[] {
    this.endRun(this.scannedBytes)
    return this.runs
  }

  /** Goes on to the byte after the quote that ends the text, or to the end of the chunk. */
  private skipText(bytes: Uint8Array, from: number): number {
    let index = from
    if (this.escaped) {
      this.escaped = false
      index++
    }
    while (index < bytes.length) {
      const byte = bytes[index++]
      if (byte === QUOTE) {
        this.inText = false
        return index
      }
      if (byte === BACKSLASH && ++index > bytes.length) this.escaped = true
    }
    return index
  }

  /** Goes on to the byte after the quote that begins a text, or to the end of the chunk. */
  private countBrackets(bytes: Uint8Array, from: number): number {
    let index = from
    while (index < bytes.length) {
      const byte = bytes[index++] as number
      if (byte === QUOTE) {
        this.inText = true
        return index
      }
      if (byte < OPEN_ARRAY) continue
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        if (this.openAt(index - 1) > this.maxDepth) return TOO_DEEP
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.depth--
    }
    return index
  }

  /** As `countBrackets`, for chunks in which a run may end; looking for that takes half as long again. */
  private cutAtCommas(bytes: Uint8Array, from: number): number {
    let index = from
    while (index < bytes.length) {
      const byte = bytes[index++] as number
      if (byte === QUOTE) {
        this.inText = true
        return index
      }
      if (byte < OPEN_ARRAY) {
        if (byte !== COMMA || index < this.cutFrom || this.depth < 1) continue
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        if (this.openAt(index - 1) > this.maxDepth) return TOO_DEEP
        continue
      } else if ((byte !== CLOSE_OBJECT && byte !== CLOSE_ARRAY) || --this.depth >= this.floor) continue
      this.endRun(this.scannedBytes + index - 1)
      this.cutFrom = index + this.runBytes
    }
    return index
  }

  /** Answers how deep the text is then; that may be below zero, in what is no JSON. */
  private openAt(index: number): number {
    if (this.depth >= 0) this.openers[this.depth] = this.scannedBytes + index
    return ++this.depth
  }

  private endRun(end: number): void {
    this.runs.push({ start: this.runStart, end, openers: this.runOpeners })
    this.runStart = end + 1
    this.runOpeners = this.openers.slice(0, Math.max(0, this.depth))
    this.floor = this.runOpeners.length === 0 ? -FAR : this.runOpeners.length
  }
}
