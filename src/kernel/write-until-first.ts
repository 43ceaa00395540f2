import { AppError, type ErrorDetails } from "./errors.js"

/** Changes by other processes in between before a busy record is given up. */
const MAX_ATTEMPTS = 10

/**
 * Reads, checks and writes again until nobody else was first in between: `write` answers null when somebody was.
 * @throws AppError conflict, with these details, when others always are.
 */
export async function writeUntilFirst<Written>(
  write: () => Promise<Written | null>,
  conflict: ErrorDetails = {},
): Promise<Written> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const written = await write()
    if (written !== null) return written
  }
  throw new AppError("conflict", conflict)
}
