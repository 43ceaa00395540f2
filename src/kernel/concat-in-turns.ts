import { Turns } from "./turns.js"

/** Copying so much into fresh memory takes some milliseconds. */
const BYTES_PER_TURN = 4 * 1024 * 1024

/** `Buffer.concat`, with everybody else's turn in between where it is much. `length` is that of all pieces together. */
export async function concatInTurns(pieces: readonly Uint8Array[], length: number): Promise<Buffer> {
  if (length <= BYTES_PER_TURN) return Buffer.concat(pieces, length)
  const all = Buffer.allocUnsafeSlow(length)
  const turns = new Turns(BYTES_PER_TURN)
  let offset = 0
  for (const piece of pieces) {
    all.set(piece, offset)
    offset += piece.length
    if (turns.isOver(piece.length)) await turns.next()
  }
  return all
}
