import { createHash } from "node:crypto"
import type { DocumentNode, ExecutionResult } from "graphql"

/** The result of a subscription for one event. */
export interface EventResult {
  readonly result: ExecutionResult
  /** Whether the subscription ends with it. */
  readonly isLast: boolean
}

/** Everything that a subscription's results depend on besides its events and what is stored. */
export interface SubscriptionIdentity {
  readonly document: DocumentNode
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
  /** The key as the subscriber gave it, and where: everything that its rights come from. */
  readonly credential: string
}

/**
 * Executes an event once for all equal subscriptions with the same key, instead of once for each of them. A result is shared
 * only by those who read the event in the same turn of the event loop: for whoever reads it later, key and rights are checked
 * again. Two projects never share anything, because an event is an object of one project, and each has its results to itself.
 */
export class SubscriptionResultCache {
  readonly #resultsByEvent = new WeakMap<object, Map<string, Promise<EventResult>>>()
  readonly #documents = new WeakMap<DocumentNode, number>()
  #documentCount = 0

  /** The key of equal subscriptions; short, whatever the variables. */
  toKey({ document, operationName, variables, credential }: SubscriptionIdentity): string {
    const text = JSON.stringify([this.#toNumber(document), operationName, variables, credential])
    return createHash("sha256").update(text).digest("base64")
  }

  /** The result of an event under a key; events that are no objects are executed each time. */
  getOrExecute(event: unknown, key: string, execute: () => Promise<EventResult>): Promise<EventResult> {
    if (typeof event !== "object" || event === null) return execute()
    const results = this.#resultsByEvent.get(event) ?? new Map<string, Promise<EventResult>>()
    const known = results.get(key)
    if (known !== undefined) return known
    const result = execute()
    this.#resultsByEvent.set(event, results.set(key, result))
    const forget = (): void => void setImmediate(() => results.delete(key))
    result.then(forget, forget)
    return result
  }

  #toNumber(document: DocumentNode): number {
    const number = this.#documents.get(document) ?? ++this.#documentCount
    this.#documents.set(document, number)
    return number
  }
}
