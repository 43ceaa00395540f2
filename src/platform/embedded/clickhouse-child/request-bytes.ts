/**
 * The body of a request in one piece of memory that grows with it, and can be given back at once. As the pieces in which
 * a socket hands it over, a large insert would lie in memory twice, and for long: V8 sees little reason to collect what is
 * not in its heap.
 */
export class RequestBytes {
  private bytes = Buffer.alloc(0)
  private used = 0

  /** `expected` is the length that the request announces, 0 when it announces none. */
  constructor(private readonly expected: number) {}

  append(piece: Buffer): void {
    const wanted = this.used + piece.length
    if (wanted > this.bytes.length) this.grow(Math.max(wanted, this.expected, this.bytes.length * 2))
    this.used += piece.copy(this.bytes, this.used)
  }

  get length(): number {
    return this.used
  }

  read(): Buffer {
    return this.bytes.subarray(0, this.used)
  }

  /** Gives the memory back. Nobody may read what `read` returned afterwards. */
  free(): void {
    const { buffer } = this.bytes
    this.bytes = Buffer.alloc(0)
    this.used = 0
    if (!buffer.detached) buffer.transfer(0)
  }

  private grow(capacity: number): void {
    const larger = Buffer.allocUnsafeSlow(capacity)
    const length = this.bytes.copy(larger, 0, 0, this.used)
    this.free()
    this.bytes = larger
    this.used = length
  }
}
