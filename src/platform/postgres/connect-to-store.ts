import { setTimeout as sleep } from "node:timers/promises"
import { StartupError } from "../embedded/startup-error.js"

const RETRY_MS = 100

export interface ConnectOptions<T> {
  /** The store's name for operators: "PostgreSQL". */
  readonly store: string
  /** The variable that has its URL. */
  readonly variable: string
  readonly connect: () => Promise<T>
  /** Whether a failure says that the server is not there, rather than that it turns this user away. */
  readonly isAway: (failure: unknown) => boolean
  /** How long a server that is started together with Waymark is waited for. */
  readonly timeoutMs?: number
}

/**
 * Connects to a store, again and again while it is away.
 * @throws StartupError when it is still away after the timeout, or turns this user away.
 */
export async function connectToStore<T>(options: ConnectOptions<T>): Promise<T> {
  const { store, variable, connect, isAway, timeoutMs = 5_000 } = options
  const deadline = performance.now() + timeoutMs
  for (;;) {
    try {
      return await connect()
    } catch (cause) {
      if (!isAway(cause) || performance.now() > deadline)
        throw new StartupError(`${store} cannot be reached: ${describeFailure(cause)}. Check ${variable}.`, { cause })
      await sleep(RETRY_MS)
    }
  }
}

/**
 * What a failed connection says of itself, for operators. A host with several addresses fails with a list and no message
 * of its own; an AppError speaks to clients, and what an operator has to know is below it.
 */
function describeFailure(failure: unknown): string {
  const { errors, message, code, cause } = failure as {
    errors?: unknown[]
    message?: string
    code?: string
    cause?: unknown
  }
  if (code === "store_unavailable" && cause !== undefined) return describeFailure(cause)
  return Array.isArray(errors) ? errors.map(describeFailure).join("; ") : String(message)
}
