import type { Clock } from "../../kernel/clock.js"

/** The machine's wall clock. */
export const systemClock: Clock = { now: () => Date.now() }
