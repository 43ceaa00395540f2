import { toStoreFault } from "./connection-loss.js"

/**
 * Runs work on PostgreSQL outside `Database.transaction`.
 * @throws AppError store_unavailable when PostgreSQL cannot be reached; any other failure as it is.
 */
export async function whenReachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toStoreFault(error)
  }
}
