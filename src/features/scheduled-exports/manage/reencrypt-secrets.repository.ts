import { LockMode } from "@mikro-orm/core"
import { AppError } from "../../../kernel/errors.js"
import type { TextCipher } from "../../../platform/encryption/text-cipher.js"
import type { Records } from "../../../platform/postgres/records.js"
import { toPurpose } from "../targets/secret-purpose.js"
import { ScheduledExportEntity } from "./scheduled-export.entity.js"

/**
 * Encrypts the secrets of all exports anew, with the first key of `cipher`, so that the others are needed no more.
 * @returns the number of secrets.
 * @throws AppError store_unavailable at a secret that none of the keys fits; nothing is changed then.
 */
export const reencryptSecrets = (records: Records, cipher: TextCipher): Promise<number> =>
  records.write(async (em) => {
    const sealed = { sealedSecret: { $ne: null } }
    const found = await em.find(ScheduledExportEntity, sealed, { lockMode: LockMode.PESSIMISTIC_WRITE })
    for (const one of found) {
      const purpose = toPurpose(one.projectId)
      const secret = cipher.decrypt(one.sealedSecret ?? "", purpose)
      if (secret === null)
        throw new AppError("store_unavailable", { detail: `None of the keys fits the secret of export ${one.id}.` })
      one.sealedSecret = cipher.encrypt(secret, purpose)
    }
    return found.length
  })
