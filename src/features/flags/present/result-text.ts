import type { FlagResult } from "../evaluate/evaluation.types.js"
import { presentReason } from "./reason-text.js"

/** One flag's result as JSON text, with its key in front where it is a member of a map. */
export interface ResultText {
  readonly key: string
  /** The value SDKs read: the variant, else whether the flag is on. */
  readonly value: string
  /** Null when there is no payload for the value. */
  readonly payload: string | null
  /** The detail object (`reference/flags.md` 3.2). */
  readonly detail: string
}

const remembered = new WeakMap<FlagResult, ResultText>()

/**
 * Works out a result's text once. A flag has few results and gives the same ones to everybody (`evaluate/flag-answers.ts`),
 * and turning them into text anew costs a decision more than reaching them.
 */
export function textOf(result: FlagResult): ResultText {
  let text = remembered.get(result)
  if (text === undefined) {
    text = write(result)
    remembered.set(result, text)
  }
  return text
}

function write(result: FlagResult): ResultText {
  const { key, enabled, variant, error, id, version, payload } = result
  const { code, conditionIndex, description } = presentReason(result)
  const quotedKey = JSON.stringify(key)
  const member = (value: unknown): string => `${quotedKey}:${JSON.stringify(value)}`
  return {
    key: quotedKey,
    value: member(variant ?? enabled),
    payload: payload === null ? null : member(payload),
    detail: member({
      key,
      enabled,
      variant,
      ...(error === null ? {} : { failed: true }),
      reason: { code, condition_index: conditionIndex, description },
      metadata: { id, version, description: null, payload },
    }),
  }
}
