/** A row of `events` on its way to ClickHouse. */
export interface EventRow {
  /** Place of its event in the slice: the same at every replay. */
  readonly position: number
  /** As `toEventRow` writes it. */
  readonly text: string
  /** `YYYY-MM` of its timestamp: the partition it goes to. */
  readonly month: string
}

/** Rows in a row, written out: as bytes they cost the garbage collector nothing, as texts most of its time. */
export interface EventRowBlock {
  /** UTF-8; each row ends with a line feed, and has no other. */
  readonly bytes: Buffer
  readonly positions: readonly number[]
  readonly months: readonly string[]
}

/** Small enough to be made of texts that have not been moved in memory yet. */
const BLOCK_CHARACTERS = 128 * 1024

/** Writes rows out while they come. */
export class EventRowWriter {
  private readonly blocks: EventRowBlock[] = []
  private waiting: EventRow[] = []
  private characters = 0

  add(row: EventRow): void {
    this.waiting.push(row)
    this.characters += row.text.length
    if (this.characters >= BLOCK_CHARACTERS) this.writeOut()
  }

  finish(): readonly EventRowBlock[] {
    if (this.waiting.length > 0) this.writeOut()
    return this.blocks
  }

  private writeOut(): void {
    this.blocks.push(toRowBlock(this.waiting))
    this.waiting = []
    this.characters = 0
  }
}

export const toRowBlock = (rows: readonly EventRow[]): EventRowBlock => ({
  bytes: toRowBytes(rows.map(({ text }) => text)),
  positions: rows.map(({ position }) => position),
  months: rows.map(({ month }) => month),
})

/** Texts of rows as UTF-8, each with a line feed behind it. */
export const toRowBytes = (texts: readonly string[]): Buffer => Buffer.from(`${texts.join("\n")}\n`)

/** The rows of a block as texts again. */
export const readRows = ({ bytes, positions, months }: EventRowBlock): EventRow[] =>
  bytes
    .toString("utf8", 0, bytes.length - 1)
    .split("\n")
    .map((text, index) => ({ text, position: positions[index] as number, month: months[index] as string }))
