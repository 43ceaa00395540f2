/** When the newest row of the log was known, by a clock that nobody sets. */
interface Sighting {
  readonly newestId: number
  readonly seenAtMs: number
}

/** With more, every other one is forgotten, and only half as many are remembered from then on. */
const MAX_SIGHTINGS = 1_000
const FIRST_INTERVAL_MS = 1_000

/**
 * Remembers how far the log reached at earlier readings, so that the age of its oldest row is known although the clock of the
 * machine was set back since the row was written (`docs/contract/faults.md#clocks`).
 */
export class RowSightings {
  #sightings: Sighting[] = []
  #intervalMs = FIRST_INTERVAL_MS

  /**
   * Notes a reading of the log, whose rows have the ids from `oldestId` to `newestId`; both are null when there are none.
   * @param nowMs of a clock that only goes forward.
   * @returns for how many milliseconds the oldest row has waited at least: of a log that grows all the while it is a thousandth of
   * its age too short.
   */
  note(oldestId: number | null, newestId: number | null, nowMs: number): number {
    if (oldestId === null || newestId === null) {
      this.#sightings = []
      this.#intervalMs = FIRST_INTERVAL_MS
      return 0
    }
    const known = this.#sightings.filter((sighting) => sighting.newestId >= oldestId)
    const last = known.at(-1)
    const isDue = last === undefined || nowMs - last.seenAtMs >= this.#intervalMs
    if (isDue && newestId > (last?.newestId ?? 0)) known.push({ newestId, seenAtMs: nowMs })
    const isFull = known.length > MAX_SIGHTINGS
    if (isFull) this.#intervalMs *= 2
    this.#sightings = isFull ? known.filter((_, index) => index % 2 === 0) : known
    return nowMs - (known[0]?.seenAtMs ?? nowMs)
  }
}
