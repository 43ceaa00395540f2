/** Says that an event among those given can never be processed or stored as it is: to be found by halving, not by retrying. */
export class PoisonError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = "PoisonError"
  }
}
