import { isJsonObject, type Json } from "../../../kernel/json.js"

/** How far a feature is that users may switch on for themselves; a draft and an archived one are offered to nobody. */
export const STAGES = ["draft", "concept", "alpha", "beta", "general-availability", "archived"] as const
type Stage = (typeof STAGES)[number]

/** What a flag's definition says, in `early_access`, of the feature that users may switch on for themselves. */
export interface EarlyAccess {
  readonly name: string
  readonly description: string
  readonly stage: Stage
  readonly documentationUrl: string | null
}

const OFFERED: ReadonlySet<Stage> = new Set(["concept", "alpha", "beta", "general-availability"])
const OPEN: ReadonlySet<Stage> = new Set(["alpha", "beta", "general-availability"])

/** Whether users hear of features of a stage. */
export const isOffered = (stage: Stage): boolean => OFFERED.has(stage)

/** Whether users who enrol have the feature. Those who enrol in a concept have it once it is more than that. */
export const isOpen = (stage: Stage): boolean => OPEN.has(stage)

/** Reads what is stored of it; null where a definition says nothing of the kind. */
export function readEarlyAccess(filters: Json): EarlyAccess | null {
  const stored = isJsonObject(filters) ? filters.early_access : null
  if (!isJsonObject(stored)) return null
  const { name, description, documentation_url: url } = stored
  return {
    name: typeof name === "string" ? name : "",
    description: typeof description === "string" ? description : "",
    stage: STAGES.find((stage) => stage === stored.stage) ?? "draft",
    documentationUrl: typeof url === "string" ? url : null,
  }
}
