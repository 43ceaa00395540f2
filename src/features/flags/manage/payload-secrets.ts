import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"
import type { TextCipher } from "../../../platform/encryption/text-cipher.js"
import type { Flag } from "../flags.types.js"

/** What stands for a payload that the caller may not see; JSON text, as payloads are. */
export const REDACTED_PAYLOAD = '"********* (encrypted)"'

type SecretFlag = Pick<Flag, "projectId" | "filters" | "hasEncryptedPayloads">

/**
 * Keeps payloads of flags with `has_encrypted_payloads` secret where they are stored
 * (`docs/contract/flags.md#remote-configuration`).
 */
export interface PayloadSecrets {
  /** Definition with its payloads encrypted. @throws AppError invalid_input when this server has no key. */
  seal(projectId: ProjectId, filters: JsonObject): JsonObject
  /** Definition of a flag with its payloads readable. @throws AppError store_unavailable when no key of this server fits. */
  open(flag: SecretFlag): Json
}

/** @param cipher null on a server that has no key; what was stored before there were keys can be read all the same. */
export function createPayloadSecrets(
  cipher: TextCipher | null,
  isEncrypted: (text: string) => boolean,
): PayloadSecrets {
  return {
    seal: (projectId, filters) => {
      if (cipher === null) throw new AppError("invalid_input", { attr: "has_encrypted_payloads", detail: NO_KEY })
      return withPayloads(filters, (payload) =>
        typeof payload === "string" ? cipher.encrypt(payload, purposeOf(projectId)) : payload,
      )
    },
    open: ({ projectId, filters, hasEncryptedPayloads }) => {
      if (!hasEncryptedPayloads) return filters
      return withPayloads(filters, (payload) => {
        if (typeof payload !== "string" || !isEncrypted(payload)) return payload
        const text = cipher?.decrypt(payload, purposeOf(projectId)) ?? null
        if (text !== null) return text
        throw new AppError("store_unavailable", { detail: NO_FITTING_KEY })
      })
    },
  }
}

const NO_KEY =
  "This server has no key to encrypt payloads with. Whoever runs it has to set FLAG_PAYLOAD_KEYS, or leave payloads unencrypted."
const NO_FITTING_KEY = "The payload was encrypted with a key that this server does not have (FLAG_PAYLOAD_KEYS)."

/** A payload is of no use in another project's rows. */
const purposeOf = (projectId: ProjectId): string => `payload of a flag of project ${projectId}`

/** A flag's definition as anybody may see it: payloads that are kept secret are only there. */
export const shownFilters = ({
  filters,
  hasEncryptedPayloads,
}: Pick<Flag, "filters" | "hasEncryptedPayloads">): Json => (hasEncryptedPayloads ? withoutPayloads(filters) : filters)

/** What an entry of the audit log says, without the payloads that the flag had; older entries are an object of new values. */
export function redactPayloads(changes: Json): Json {
  if (Array.isArray(changes)) return changes.map((change) => (isJsonObject(change) ? redactChange(change) : change))
  return isJsonObject(changes) && changes.filters !== undefined
    ? { ...changes, filters: withoutPayloads(changes.filters) }
    : changes
}

/** One field of such an entry, likewise. */
export const redactChange = (change: JsonObject): JsonObject =>
  change.field === "filters"
    ? { ...change, before: withoutPayloads(change.before ?? null), after: withoutPayloads(change.after ?? null) }
    : change

const withoutPayloads = <Filters extends Json>(filters: Filters): Filters =>
  withPayloads(filters, (payload) => (payload === null ? null : REDACTED_PAYLOAD))

/** Puts back what a client got as the redaction mark and sent as it was. */
export function withKeptPayloads(filters: Json, known: () => Json): Json {
  const sent = isJsonObject(filters) && isJsonObject(filters.payloads) ? Object.values(filters.payloads) : []
  if (!sent.includes(REDACTED_PAYLOAD)) return filters
  const before = known()
  const payloads = isJsonObject(before) && isJsonObject(before.payloads) ? before.payloads : {}
  return withPayloads(filters, (payload, key) =>
    payload === REDACTED_PAYLOAD && Object.hasOwn(payloads, key) ? (payloads[key] as Json) : payload,
  )
}

function withPayloads<Filters extends Json>(filters: Filters, change: (payload: Json, key: string) => Json): Filters {
  if (!isJsonObject(filters) || !isJsonObject(filters.payloads)) return filters
  const payloads = Object.entries(filters.payloads).map(([key, payload]) => [key, change(payload, key)])
  return Object.assign({}, filters, { payloads: Object.fromEntries(payloads) })
}
