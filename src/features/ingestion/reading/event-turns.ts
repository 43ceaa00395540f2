import { Turns } from "../../../kernel/turns.js"

/** Characters of events that keep the process for a few milliseconds; an event costs something however small it is. */
const CHARACTERS_PER_TURN = 200_000
const CHARACTERS_OF_ANY_EVENT = 1_000

/** Divides work on many events into turns, between which requests that wait are answered. */
export class EventTurns extends Turns {
  constructor() {
    super(CHARACTERS_PER_TURN)
  }

  /** To be called after each event, with the characters of its JSON: whether others are to have their turn now. */
  override isOver(characters: number): boolean {
    return super.isOver(CHARACTERS_OF_ANY_EVENT + characters)
  }
}
