import { YieldBudget } from "../../../kernel/yield-to-event-loop.js"

/** Characters of events that block the event loop for a few milliseconds; an event costs something however small it is. */
const MAX_CHARACTERS = 200_000
const CHARACTERS_OF_ANY_EVENT = 1_000

/** The yield budget of loops over many events: requests that wait are answered in between. */
export class EventYieldBudget extends YieldBudget {
  constructor() {
    super(MAX_CHARACTERS)
  }

  /** To be called after each event, with the characters of its JSON. */
  override spend(characters: number): boolean {
    return super.spend(CHARACTERS_OF_ANY_EVENT + characters)
  }
}
