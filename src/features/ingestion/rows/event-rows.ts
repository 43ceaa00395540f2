const LINE_FEED = 0x0a

/** A row of `events` on its way to ClickHouse. */
export interface EventRow {
  /** Number of its event in the batch: the same at every replay. */
  readonly position: number
  /** As `toEventRow` writes it. */
  readonly text: string
  /** `YYYY-MM` of its timestamp: the partition it goes to. */
  readonly month: string
}

/** Consecutive rows as bytes: as strings they would take most of the garbage collector's time. */
export interface EventRowBlock {
  /** UTF-8; each row ends with a line feed, and has no other. */
  readonly bytes: Buffer
  readonly positions: readonly number[]
  readonly months: readonly string[]
}

const BLOCK_BYTES = 256 * 1024
/** UTF-8 has at most so many bytes for a character of a text in memory. */
const MAX_BYTES_PER_CHARACTER = 3

/**
 * Writes rows out while they come, each straight into its block: joining strings first and encoding them then takes
 * three times as long.
 */
export class EventRowWriter {
  private readonly blocks: EventRowBlock[] = []
  private bytes: Buffer = Buffer.alloc(0)
  private length = 0
  private positions: number[] = []
  private months: string[] = []
  private rowBytes = 0

  /** Of all rows so far, without their ends. */
  get byteCount(): number {
    return this.rowBytes
  }

  /** @param end of the row's text, which may differ at a replay and so does not count */
  add({ position, text, month }: EventRow, end = ""): void {
    const mostBytes = (text.length + end.length) * MAX_BYTES_PER_CHARACTER + 1
    if (this.length + mostBytes > this.bytes.length) {
      this.endBlock()
      // Memory of its own: a piece of shared memory would keep all of that alive.
      this.bytes = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, mostBytes))
    }
    const writtenBytes = this.bytes.write(text, this.length)
    this.rowBytes += writtenBytes
    this.length += writtenBytes
    if (end !== "") this.length += this.bytes.write(end, this.length)
    this.bytes[this.length++] = LINE_FEED
    this.positions.push(position)
    this.months.push(month)
  }

  finish(): readonly EventRowBlock[] {
    this.endBlock()
    return this.blocks
  }

  private endBlock(): void {
    const { positions, months } = this
    if (positions.length === 0) return
    this.blocks.push({ bytes: this.bytes.subarray(0, this.length), positions, months })
    this.bytes = Buffer.alloc(0)
    this.length = 0
    this.positions = []
    this.months = []
  }
}

/** Some rows as blocks. */
export function toRowBlocks(rows: readonly EventRow[]): readonly EventRowBlock[] {
  const writer = new EventRowWriter()
  for (const row of rows) writer.add(row)
  return writer.finish()
}

/** Rows as UTF-8, each with a line feed behind it. */
export const toRowBytes = (rows: readonly string[]): Buffer => Buffer.from(`${rows.join("\n")}\n`)

/** The rows of a block as strings again. */
export const readRows = ({ bytes, positions, months }: EventRowBlock): EventRow[] =>
  bytes
    .toString("utf8", 0, bytes.length - 1)
    .split("\n")
    .map((text, index) => {
      const [position, month] = [positions[index], months[index]]
      if (position === undefined || month === undefined) throw new Error("a block has a position for each row")
      return { text, position, month }
    })
