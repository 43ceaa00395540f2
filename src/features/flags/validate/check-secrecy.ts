import { AppError } from "../../../kernel/errors.js"
import type { Flag, FlagChanges } from "../flags.types.js"

type Secrecy = Pick<Flag, "isRemoteConfiguration" | "hasEncryptedPayloads">

/**
 * Refuses secret payloads on a flag that is evaluated: `/decide` would have to show them to every browser.
 * @throws AppError invalid_input.
 */
export function refuseSecretElsewhere(flag: Secrecy, fields: FlagChanges): void {
  const { isRemoteConfiguration, hasEncryptedPayloads } = { ...flag, ...fields }
  const isTouched = fields.isRemoteConfiguration !== undefined || fields.hasEncryptedPayloads !== undefined
  if (!isTouched || !hasEncryptedPayloads || isRemoteConfiguration) return
  throw new AppError("invalid_input", {
    attr: "has_encrypted_payloads",
    detail: "Payloads can be encrypted only of a flag with is_remote_configuration, which is not evaluated.",
  })
}
