import { AppError } from "../../../kernel/errors.js"
import type { Principal } from "../../../kernel/request-context.js"
import type { Platform } from "../../../platform/platform.types.js"
import type { GuessLimit } from "../passwords/guess-limit.js"
import type { PasswordRepository } from "../passwords/password.repository.js"
import type { PasswordHasher } from "../passwords/password-hasher.js"
import { hashRecoveryCode, makeRecoveryCodes } from "./recovery-codes.js"
import type { SecondFactorCheck } from "./second-factor.js"
import type { SecondFactor, TotpEnrolment } from "./totp.graphql.js"
import type { TotpRepository } from "./totp.repository.js"
import { findStep, makeTotpSecret, toTotpUri } from "./totp-codes.js"

export interface TotpDependencies extends Pick<Platform, "clock" | "ids"> {
  readonly totp: TotpRepository
  readonly passwords: PasswordRepository
  readonly hasher: PasswordHasher
  readonly guesses: GuessLimit
  readonly requireCode: SecondFactorCheck
}

/** Use cases of one's own second factor. Faults are AppErrors naming the field and the rule. */
export type TotpService = ReturnType<typeof createTotpService>

/** Makes the use cases of turning a second factor on and off (`docs/sign-in.md#a-second-factor`). */
export function createTotpService({ totp, passwords, hasher, guesses, requireCode, clock, ids }: TotpDependencies) {
  const findEmail = async ({ userId }: Principal): Promise<string> => (await passwords.findUser(userId))?.email ?? ""
  const show = async ({ userId }: Principal): Promise<SecondFactor> => {
    const stored = await totp.find(userId)
    return { confirmedAt: stored?.confirmedAt ?? null, recoveryCodesLeft: await totp.countRecoveryCodes(userId) }
  }
  return {
    /** Null for a key that is bound: whoever made it need not be its user. */
    find: async (principal: Principal): Promise<SecondFactor | null> =>
      principal.projectIds === null && principal.organizationIds === null ? show(principal) : null,
    /** Makes the secret of an authenticator. The password is asked for: somebody else may sit at an open browser. */
    begin: async (principal: Principal, currentPassword: string, senderIp: string): Promise<TotpEnrolment> => {
      const email = await findEmail(principal)
      await guesses.guess(email, senderIp, async () => {
        if (await hasher.matches(currentPassword, await passwords.findHash(principal.userId))) return
        throw new AppError("invalid_input", { attr: "current_password", detail: "This is not your password." })
      })
      const secret = makeTotpSecret(ids)
      if (!(await totp.begin(principal.userId, secret)))
        throw new AppError("invalid_input", { detail: "There is a second factor already; remove it first." })
      return { secret, uri: toTotpUri(secret, email) }
    },
    /** The authenticator counts from now on. Answers the recovery codes, which are not stored. */
    confirm: async (principal: Principal, code: string, senderIp: string): Promise<string[]> => {
      const { userId } = principal
      return guesses.guess(await findEmail(principal), senderIp, async () => {
        const begun = await totp.find(userId)
        const step = begun && findStep(begun.secret, code.replace(/\s/g, ""), clock.now())
        const recoveryCodes = makeRecoveryCodes(ids)
        const recoveryHashes = recoveryCodes.map(hashRecoveryCode)
        const now = new Date(clock.now())
        if (
          begun !== null &&
          step !== null &&
          (await totp.confirm(userId, begun.secret, { step, recoveryHashes }, now))
        )
          return recoveryCodes
        throw new AppError("invalid_input", { attr: "code", detail: "This is not the code that it shows now." })
      })
    },
    /** Turns the second factor off, by one of its codes. */
    remove: async (principal: Principal, code: string, senderIp: string): Promise<SecondFactor> => {
      const { userId } = principal
      await requireCode({ userId, email: await findEmail(principal), senderIp, code, fault: "invalid_input" })
      await totp.remove(userId, new Date(clock.now()))
      return show(principal)
    },
  }
}
