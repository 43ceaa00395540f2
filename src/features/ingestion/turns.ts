import { setImmediate as nextTurn } from "node:timers/promises"

/** Characters of events that keep the process for a few milliseconds; an event costs something however small it is. */
const CHARACTERS_PER_TURN = 200_000
const CHARACTERS_OF_ANY_EVENT = 1_000

/** Divides work on many events into turns, between which requests that wait are answered. */
export class Turns {
  private characters = 0

  /** To be called after each event, with the characters of its JSON: whether others are to have their turn now. */
  isOver(characters: number): boolean {
    this.characters += CHARACTERS_OF_ANY_EVENT + characters
    return this.characters >= CHARACTERS_PER_TURN
  }

  /** Resolves when everything that was waiting has had its turn. */
  async next(): Promise<void> {
    this.characters = 0
    await nextTurn()
  }
}
