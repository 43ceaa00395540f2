import type { Json } from "../../kernel/json.js"

/** What dependency filters need to know of the project's flags. */
export interface FlagNames {
  readonly idsByKey: ReadonlyMap<string, number>
  readonly ids: ReadonlySet<number>
}

/**
 * The flag a dependency filter means: its id as text in storage, its key in the form local evaluation is fed with,
 * which carries a `dependency_chain` (`docs/contract/flags.md#definitions`) and for which `isFlagKey` is true. Null
 * when no such flag exists.
 */
export function resolveFlagReference(text: string, isFlagKey: boolean, names: FlagNames): number | null {
  if (!isFlagKey && /^\d{1,15}$/.test(text) && names.ids.has(Number(text))) return Number(text)
  return names.idsByKey.get(text) ?? null
}

/**
 * Whether a flag's value is the one expected (`docs/contract/flags.md#dependencies-of-flags`): true means any enabled
 * value, false only false, text exactly that variant; anything else never.
 */
export function matchesDependencyValue(expected: Json | undefined, actual: boolean | string): boolean {
  if (expected === true) return actual !== false && actual !== ""
  if (expected === false) return actual === false
  return typeof expected === "string" && expected !== "" && actual === expected
}
