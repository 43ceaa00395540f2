import { createHash } from "node:crypto"
import { AppError } from "../../../kernel/errors.js"
import type { Counters } from "../../../platform/counters/counters.js"

const WINDOW_SECONDS = 900
/** Wrong passwords of one account, whoever tries; and from one address, whatever the account. */
const MAX_OF_ACCOUNT = 10
const MAX_FROM_ADDRESS = 50

export type GuessLimit = ReturnType<typeof createGuessLimit>

/**
 * Bounds how often passwords are guessed (`docs/sign-in.md#limits-on-guesses`). A guess is counted before it is checked, so that
 * many at once are not one. Where the counters are away nobody signs in: rejects with AppError store_unavailable.
 */
export function createGuessLimit(counters: Counters) {
  const take = async (key: string, max: number): Promise<void> => {
    if ((await counters.increment(key, 1, WINDOW_SECONDS)) <= max) return
    throw new AppError("rate_limited", {
      detail: "There were too many wrong passwords. Try again in a quarter of an hour.",
      retryAfterSeconds: WINDOW_SECONDS,
    })
  }
  return {
    /** Runs a check of a password and counts it unless it succeeds. @throws AppError rate_limited, or what `check` throws. */
    guess: async <T>(email: string, senderIp: string, check: () => Promise<T>): Promise<T> => {
      const keys = [`sign-in:account:${createHash("sha256").update(email).digest("hex")}`, `sign-in:from:${senderIp}`]
      const [account = "", address = ""] = keys
      await take(address, MAX_FROM_ADDRESS)
      await take(account, MAX_OF_ACCOUNT)
      const result = await check()
      for (const key of keys) await counters.increment(key, -1, WINDOW_SECONDS)
      return result
    },
  }
}
