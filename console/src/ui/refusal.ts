import type { CombinedError } from "urql"
import { describeFailure } from "./failure"

/** What a mutation answers besides the record. */
export interface Payload {
  readonly userErrors: readonly { readonly field: string | null; readonly message: string }[]
}

/** Why a change was not made, in a sentence; null when it was. */
export function findRefusal(error: CombinedError | undefined, payload: Payload | null | undefined): string | null {
  if (error !== undefined) return describeFailure(error).title
  const [first] = payload?.userErrors ?? []
  if (first === undefined) return null
  return first.field === null ? first.message : `${first.field}: ${first.message}`
}
