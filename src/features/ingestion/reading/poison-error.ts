/**
 * One of the given events can never be processed or stored as it is. It is found by halving the events; trying again
 * does not help.
 */
export class PoisonError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = "PoisonError"
  }
}
