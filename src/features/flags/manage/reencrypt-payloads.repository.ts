import { LockMode } from "@mikro-orm/core"
import { isJsonObject } from "../../../kernel/json.js"
import { isEncrypted, type TextCipher } from "../../../platform/encryption/text-cipher.js"
import type { Records } from "../../../platform/postgres/records.js"
import { lockRules } from "../../cohorts/index.js"
import { FlagEntity } from "./flag.entity.js"
import { createPayloadSecrets } from "./payload-secrets.js"

/**
 * Encrypts the secret payloads of all flags anew, with the first key of `cipher`, so that the others are needed no more;
 * deleted flags too, since they can be brought back. What a flag is stays the same: neither its version nor the audit log
 * tells of it. A server may change flags meanwhile, as long as it encrypts with the same key.
 * @returns the number of flags.
 * @throws AppError store_unavailable at the first payload that none of the keys fits; those before it are done.
 */
export async function reencryptPayloads(records: Records, cipher: TextCipher): Promise<number> {
  const secrets = createPayloadSecrets(cipher, isEncrypted)
  const flags = await records.read((em) =>
    em.find(FlagEntity, { hasEncryptedPayloads: true }, { fields: ["id", "projectId"], orderBy: { id: "asc" } }),
  )
  for (const { id, projectId } of flags)
    await records.write(async (em) => {
      // In the order of every other change of a flag, so that neither waits for the other.
      await lockRules(em, projectId)
      const flag = await em.findOne(FlagEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
      if (flag === null || !flag.hasEncryptedPayloads) return
      const filters = secrets.open(flag)
      if (isJsonObject(filters)) flag.filters = secrets.seal(projectId, filters)
    })
  return flags.length
}
