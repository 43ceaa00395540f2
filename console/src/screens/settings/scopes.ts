import type { Scope } from "../../graph/generated/graphql"

/** What a key may be let at, with its name; the rest of the scopes are of things that Waymark does not have. */
const OBJECTS = [
  ["ACTION", "Actions"],
  ["ACTIVITY_LOG", "Audit log"],
  ["BATCH_EXPORT", "Exports by schedule"],
  ["COHORT", "Cohorts"],
  ["DASHBOARD", "Dashboards"],
  ["FEATURE_FLAG", "Flags"],
  ["GROUP", "Groups"],
  ["INGESTION_WARNING", "Ingestion warnings"],
  ["INSIGHT", "Insights"],
  ["ORGANIZATION", "Organizations"],
  ["ORGANIZATION_MEMBER", "Members"],
  ["PERSON", "Persons"],
  ["PERSONAL_API_KEY", "Personal keys"],
  ["PLUGIN", "Plugins"],
  ["PROJECT", "Projects"],
  ["QUERY", "Queries and events"],
  ["SESSION_RECORDING", "Recordings"],
  ["SESSION_RECORDING_PLAYLIST", "Playlists"],
  ["USER", "One's own account"],
] as const

/** What a key may do with one kind of things. */
export type Right = "none" | "read" | "write"

/** Kinds of things that a key may be let at, as choices are listed. */
export const KINDS = OBJECTS.map(([object, label]) => ({ object, label }))
export type Kind = (typeof KINDS)[number]["object"]
/** The right to each kind; none where it is absent. */
export type Rights = Partial<Readonly<Record<Kind, Right>>>

/** The scopes that stand for these rights. */
export const toScopes = (rights: Rights): Scope[] =>
  KINDS.flatMap(({ object }): Scope[] => {
    const right = rights[object] ?? "none"
    if (right === "none") return []
    return [right === "read" ? `${object}_READ` : `${object}_WRITE`]
  })

/** Reading everything. */
export const READ_ALL: Rights = Object.fromEntries(KINDS.map(({ object }) => [object, "read" as const]))

/** Scopes in words. */
export function describeScopes(scopes: readonly Scope[]): string {
  if (scopes.includes("ALL")) return "everything"
  return scopes.map((scope) => scope.toLowerCase().replaceAll("_", " ")).join(", ")
}
