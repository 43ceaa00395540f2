import { findDependencies, orderByDependency, type StoredFlag, toFlagNames } from "../../../flag-engine/index.js"
import { AppError } from "../../../kernel/errors.js"

/**
 * Refuses a definition that would make flags depend on each other in a circle.
 * @param flags every flag that is not deleted, with the definition to be saved in place.
 * @throws AppError invalid_input.
 */
export function refuseCircle(flags: readonly StoredFlag[], savedId: number): void {
  const saved = orderByDependency(flags).find(({ flag }) => flag.id === savedId)
  if (saved?.dependencyFault !== "cycle") return
  throw new AppError("invalid_input", {
    attr: "filters",
    detail: "filters must not make flags depend on each other in a circle.",
  })
}

/**
 * Refuses to switch off or delete a flag that active flags depend on.
 * @throws AppError invalid_input naming the flags.
 */
export function refuseWhileNeeded(flags: readonly StoredFlag[], flagId: number, field: "active" | "deleted"): void {
  const dependants = findDependants(flags, flagId)
  if (dependants.length === 0) return
  const keys = dependants.map((flag) => flag.key).join(", ")
  throw new AppError("invalid_input", {
    attr: field,
    detail: `Active flags depend on this one (${keys}). Change them first.`,
  })
}

/** Active flags that depend on a flag directly. */
export function findDependants<Known extends StoredFlag>(flags: readonly Known[], flagId: number): Known[] {
  const names = toFlagNames(flags)
  return flags.filter((flag) => flag.active && flag.id !== flagId && findDependencies(flag, names).includes(flagId))
}
