/**
 * Where something lies in the order in which things are stored: the number of what it was stored with, and its own
 * number therein.
 */
export type Place = readonly [batch: number, position: number]

/** The last place of a batch. */
export const toBatchEnd = (batch: number): Place => [batch, Number.MAX_SAFE_INTEGER]

/** Whether something lies beyond a place. */
export const isBeyond = ([batch, position]: Place, [otherBatch, otherPosition]: Place): boolean =>
  batch === otherBatch ? position > otherPosition : batch > otherBatch
