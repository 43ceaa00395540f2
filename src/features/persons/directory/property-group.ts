import { AppError } from "../../../kernel/errors.js"
import type { PersonPropertyGroupInput } from "./persons.graphql.js"
import { type ConditionContext, type PropertyCondition, toPropertyCondition } from "./property-condition.js"

/** Conditions that all hold, or of which one is enough, at any depth. */
export interface PropertyGroup {
  readonly kind: "group"
  readonly isAny: boolean
  readonly of: readonly (PropertyCondition | PropertyGroup)[]
}

const MAX_CONDITIONS = 50
const MAX_GROUPS = 100
const MAX_DEPTH = 10

/** @throws AppError invalid_input naming `properties` for a group or a condition that cannot be used. */
export function toPropertyGroup(raw: PersonPropertyGroupInput, context: ConditionContext): PropertyGroup {
  const { conditions, groups } = countParts(raw, 0)
  if (conditions > MAX_CONDITIONS) throw invalid(`At most ${MAX_CONDITIONS} conditions may be given.`)
  if (groups > MAX_GROUPS) throw invalid(`At most ${MAX_GROUPS} groups of conditions may be given.`)
  return toGroup(raw, context)
}

function toGroup({ type, conditions, groups }: PersonPropertyGroupInput, context: ConditionContext): PropertyGroup {
  const name = (type ?? "AND").toUpperCase()
  if (name !== "AND" && name !== "OR") throw invalid(`A group of conditions is of type AND or OR, not "${type}".`)
  return {
    kind: "group",
    isAny: name === "OR",
    of: [
      ...(conditions ?? []).map((condition) => toPropertyCondition(condition, context)),
      ...(groups ?? []).map((group) => toGroup(group, context)),
    ],
  }
}

function countParts(
  { conditions, groups }: PersonPropertyGroupInput,
  depth: number,
): { conditions: number; groups: number } {
  if (depth > MAX_DEPTH) throw invalid(`Groups of conditions may be nested at most ${MAX_DEPTH} deep.`)
  const count = { conditions: conditions?.length ?? 0, groups: groups?.length ?? 0 }
  for (const group of groups ?? []) {
    const inner = countParts(group, depth + 1)
    count.conditions += inner.conditions
    count.groups += inner.groups
  }
  return count
}

const invalid = (detail: string): AppError => new AppError("invalid_input", { attr: "properties", detail })
