import { useState } from "react"

interface DraftForm<Value> {
  /** Reads what `write` made, and anything else without a fault. */
  readonly read: (raw: unknown) => Value
  /** As JSON has it. */
  readonly write: (value: Value) => unknown
}

/**
 * What somebody is writing, which a reload of the page does not lose: this tab keeps it until it is as stored again,
 * or is saved and forgotten.
 * @param name what is written, and of which version it is
 */
export function useDraft<Value>(name: string, stored: Value, { read, write }: DraftForm<Value>) {
  const key = `draft of ${name}`
  const [draft, set] = useState(() => {
    const kept = sessionStorage.getItem(key)
    return kept === null ? stored : read(JSON.parse(kept))
  })
  const setDraft = (changed: Value): void => {
    if (changed === stored) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(write(changed)))
    set(changed)
  }
  const forget = (): void => sessionStorage.removeItem(key)
  return [draft, setDraft, forget] as const
}
