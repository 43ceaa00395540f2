import { createHash } from "node:crypto"
import type { DocumentNode, ExecutionResult } from "graphql"

/** What an event of a subscription came to. */
export interface Outcome {
  readonly result: ExecutionResult
  /** Whether the subscription ends with it. */
  readonly isLast: boolean
}

/** Everything that a subscription's results depend on besides its events and what is stored. */
export interface Asked {
  readonly document: DocumentNode
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
  /** The key as the subscriber gave it, and where: everything that its rights come from. */
  readonly credential: string
}

/**
 * Executes an event once for all who asked the same with the same key, instead of once for each of them. Only for those who
 * come to it in the same turn of the event loop: whoever reads it later has key and rights checked again. Two
 * projects never share anything, because an event is an object of one project, and each has its outcomes to itself.
 */
export class SharedOutcomes {
  readonly #ofEvents = new WeakMap<object, Map<string, Promise<Outcome>>>()
  readonly #documents = new WeakMap<DocumentNode, number>()
  #documentCount = 0

  /** Names the subscriptions that may share outcomes; short, whatever the variables. */
  audienceOf({ document, operationName, variables, credential }: Asked): string {
    const text = JSON.stringify([this.#numberOf(document), operationName, variables, credential])
    return createHash("sha256").update(text).digest("base64")
  }

  /** The outcome of an event for an audience; events that are no objects are the same to nobody. */
  of(event: unknown, audience: string, execute: () => Promise<Outcome>): Promise<Outcome> {
    if (typeof event !== "object" || event === null) return execute()
    const outcomes = this.#ofEvents.get(event) ?? new Map<string, Promise<Outcome>>()
    const known = outcomes.get(audience)
    if (known !== undefined) return known
    const outcome = execute()
    this.#ofEvents.set(event, outcomes.set(audience, outcome))
    const forget = (): void => void setImmediate(() => outcomes.delete(audience))
    outcome.then(forget, forget)
    return outcome
  }

  #numberOf(document: DocumentNode): number {
    const number = this.#documents.get(document) ?? ++this.#documentCount
    this.#documents.set(document, number)
    return number
  }
}
