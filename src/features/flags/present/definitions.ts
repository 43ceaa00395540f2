import {
  type FlagNames,
  type RuleDocument,
  type RuleFlag,
  resolveFlagReference,
  toFlagNames,
} from "../../../flag-engine/index.js"
import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"

/**
 * Definitions as server SDKs fetch them to evaluate locally (`docs/contract/flags.md#local-evaluation`): inactive flags
 * too, remote configuration not; dependencies named by key, with the chain of what has to be evaluated before.
 */
export function presentDefinitions(document: RuleDocument, withCohorts: boolean): JsonObject {
  const names = toFlagNames(document.flags)
  return {
    flags: document.flags
      .filter((flag) => !flag.isRemoteConfiguration)
      .map((flag) => presentDefinition(flag, document, names)),
    group_type_mapping: Object.fromEntries(document.groupTypes.map(({ index, name }) => [String(index), name])),
    cohorts: withCohorts ? presentCohorts(document) : {},
  }
}

/** Changes whenever the definitions do; what goes along with cohorts has a revision of its own. */
export const revisionOf = ({ projectId, version }: RuleDocument, withCohorts: boolean): string =>
  `${projectId}-${version}${withCohorts ? "-cohorts" : ""}`

function presentDefinition(flag: RuleFlag, document: RuleDocument, names: FlagNames): JsonObject {
  return {
    id: flag.id,
    team_id: document.projectId,
    name: flag.name,
    key: flag.key,
    filters: withChains(flag.filters, document, names),
    deleted: false,
    active: flag.active,
    ensure_experience_continuity: flag.ensureExperienceContinuity,
    version: flag.version,
    bucketing_identifier: flag.bucketingIdentifier,
    evaluation_runtime: flag.evaluationRuntime,
    evaluation_tags: [...flag.evaluationContexts],
  }
}

/** Static cohorts cannot be decided from properties, so SDKs that miss one ask the server. */
function presentCohorts({ cohorts }: RuleDocument): JsonObject {
  const shown: JsonObject = {}
  for (const { id, isStatic, filters } of cohorts)
    if (!isStatic && isJsonObject(filters) && filters.properties !== undefined) shown[String(id)] = filters.properties
  return shown
}

function withChains(filters: Json, document: RuleDocument, names: FlagNames): Json {
  if (!isJsonObject(filters) || !Array.isArray(filters.groups)) return filters
  const groups = filters.groups.map((group) => {
    if (!isJsonObject(group) || !Array.isArray(group.properties)) return group
    return { ...group, properties: group.properties.map((filter) => withChain(filter, document, names)) }
  })
  return { ...filters, groups }
}

/** An empty chain says that the dependency is missing or part of a circle. */
function withChain(filter: Json, document: RuleDocument, names: FlagNames): Json {
  if (!isJsonObject(filter) || filter.type !== "flag") return filter
  const id = resolveFlagReference(String(filter.key), filter.dependency_chain !== undefined, names)
  const position = document.flags.findIndex((flag) => flag.id === id)
  const target = document.flags[position]
  if (target === undefined) return { ...filter, dependency_chain: [] }
  const chain = target.dependencyFault === null ? chainTo(position, document) : []
  return { ...filter, key: target.key, dependency_chain: chain }
}

/** Keys of everything a flag depends on and of itself, in dependency order. */
function chainTo(position: number, { flags }: RuleDocument): string[] {
  const reached = new Set<number>()
  const pending = [position]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    pending.push(...(flags[next]?.dependencies ?? []))
  }
  return [...reached].sort((left, right) => left - right).flatMap((one) => flags[one]?.key ?? [])
}
