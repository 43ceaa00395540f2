import { YieldBudget, yieldToEventLoop } from "./yield-to-event-loop.js"

/** Copying so much into fresh memory takes some milliseconds. */
const BYTES_PER_YIELD = 4 * 1024 * 1024

/** `Buffer.concat`, with everybody else's turn in between where it is much. `length` is that of all pieces together. */
export async function concatInTurns(pieces: readonly Uint8Array[], length: number): Promise<Buffer> {
  if (length <= BYTES_PER_YIELD) return Buffer.concat(pieces, length)
  const all = Buffer.allocUnsafeSlow(length)
  const budget = new YieldBudget(BYTES_PER_YIELD)
  let offset = 0
  for (const piece of pieces) {
    all.set(piece, offset)
    offset += piece.length
    if (budget.spend(piece.length)) await yieldToEventLoop()
  }
  return all
}
