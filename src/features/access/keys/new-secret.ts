import type { Ids } from "../../../platform/ids/ids.js"
import { hashSecret, maskOf, PERSONAL_KEY_PREFIX } from "./key-secret.js"
import type { StoredSecret } from "./personal-key.types.js"

/** A new value of a personal key, and what is stored of it. */
export function newSecret(ids: Ids, value = ids.secret(PERSONAL_KEY_PREFIX)): { value: string; secret: StoredSecret } {
  return { value, secret: { id: ids.uuidV7(), hash: hashSecret(value), hint: maskOf(value) } }
}
