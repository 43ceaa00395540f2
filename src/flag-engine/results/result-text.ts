import type { FlagOutcome, ResultText } from "./flag-result.types.js"

/** Writes a result as the JSON that responses are joined from. */
export function toResultText(outcome: FlagOutcome): ResultText {
  const { key, enabled, variant, reason, error, conditionIndex, description, id, version, payload } = outcome
  const quotedKey = JSON.stringify(key)
  const toMember = (value: unknown): string => flatten(`,${quotedKey}:${JSON.stringify(value)}`)
  return {
    key: flatten(`,${quotedKey}`),
    value: toMember(variant ?? enabled),
    payload: payload === null ? null : toMember(payload),
    detail: toMember({
      key,
      enabled,
      variant,
      ...(error !== null && { failed: true }),
      reason: { code: error ?? reason, condition_index: conditionIndex, description },
      metadata: { id, version, description: null, payload },
    }),
  }
}

/**
 * V8 keeps a concatenated string as a tree of its parts, which every response that contains it would walk again; one
 * that was decoded from bytes is a single piece.
 */
const flatten = (text: string): string => Buffer.from(text).toString()
