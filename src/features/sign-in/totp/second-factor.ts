import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { UserId } from "../../../kernel/ids.js"
import type { GuessLimit } from "../passwords/guess-limit.js"
import { hashRecoveryCode } from "./recovery-codes.js"
import type { TotpRepository } from "./totp.repository.js"
import { findStep } from "./totp-codes.js"

export interface SecondFactorDependencies {
  readonly totp: TotpRepository
  readonly guesses: GuessLimit
  readonly clock: Clock
}

/** Whose code is checked, and from where it came. */
export interface CodeCheck {
  readonly userId: UserId
  readonly email: string
  readonly senderIp: string
  /** As it was typed; null for none. */
  readonly code: string | null
  /** What a refusal is: of somebody who signs in, or of what somebody typed who is signed in. */
  readonly fault: "authentication_failed" | "invalid_input"
}

/** Asks for the second factor of those who have one. */
export type SecondFactorCheck = ReturnType<typeof createSecondFactorCheck>

/** Makes the check; wrong codes count as wrong passwords do (`docs/sign-in.md#a-second-factor`). */
export function createSecondFactorCheck({ totp, guesses, clock }: SecondFactorDependencies) {
  const isRight = async (userId: UserId, secret: string, code: string): Promise<boolean> => {
    const step = findStep(secret, code.replace(/\s/g, ""), clock.now())
    if (step !== null) return totp.useStep(userId, step)
    return totp.useRecoveryCode(userId, hashRecoveryCode(code), new Date(clock.now()))
  }
  /**
   * Uses up a code of the authenticator or a recovery code; does nothing for a user without a second factor.
   * @throws AppError `fault` naming `code` when it is missing, wrong or was used before; rate_limited.
   */
  return async ({ userId, email, senderIp, code, fault }: CodeCheck): Promise<void> => {
    const stored = await totp.find(userId)
    if (stored === null || stored.confirmedAt === null) return
    if (code === null) throw new AppError(fault, { attr: "code", detail: ASK })
    await guesses.guess(email, senderIp, async () => {
      if (await isRight(userId, stored.secret, code)) return
      throw new AppError(fault, { attr: "code", detail: WRONG_CODE })
    })
  }
}

const ASK = "Enter the code that your authenticator shows, or one of your recovery codes."
const WRONG_CODE = "This code is wrong or was used before. Wait for the next one."
