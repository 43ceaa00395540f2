import type { FlagResult, ResultText } from "../../../flag-engine/index.js"
import { presentReason } from "./reason-text.js"

/**
 * Works out a result's text once. A flag has few results and gives the same ones to everybody (`compile/flag-answers.ts`),
 * and turning them into text again costs a decision more than reaching them.
 */
export function textOf(result: FlagResult): ResultText {
  result.text ??= write(result)
  return result.text
}

function write(result: FlagResult): ResultText {
  const { key, enabled, variant, error, id, version, payload } = result
  const { code, conditionIndex, description } = presentReason(result)
  const quotedKey = JSON.stringify(key)
  const member = (value: unknown): string => inOnePiece(`,${quotedKey}:${JSON.stringify(value)}`)
  return {
    key: inOnePiece(`,${quotedKey}`),
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

/**
 * Flattens a text: V8 keeps a concatenated text as a tree of its parts, which every answer that holds it would walk
 * again.
 */
const inOnePiece = (text: string): string => Buffer.from(text).toString()
