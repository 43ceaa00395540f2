import { AppError, type ErrorDetails } from "./errors.js"

const MAX_ATTEMPTS = 10

/**
 * Optimistic concurrency: repeats a read-check-write until no other process wrote in between.
 * @param write answers null when another process wrote first.
 * @throws AppError conflict with these details after 10 attempts.
 */
export async function retryOnConflict<Written>(
  write: () => Promise<Written | null>,
  conflict: ErrorDetails = {},
): Promise<Written> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const written = await write()
    if (written !== null) return written
  }
  throw new AppError("conflict", conflict)
}
