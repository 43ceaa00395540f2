import type {
  CompiledRules,
  EvaluationFacts,
  GroupSource,
  ListNeeds,
  PropertySource,
} from "../../../flag-engine/index.js"
import { type Awaitable, andThen, together } from "../../../kernel/awaitable.js"
import type { JsonObject } from "../../../kernel/json.js"
import type { StoredPerson } from "../flags.types.js"
import type { Outcome } from "../within-budget.js"
import type { DecideRequest } from "./decide-request.js"
import type { Caller, FactSources } from "./fact-sources.types.js"
import { readHashKeys } from "./read-hash-keys.js"

interface SentGroup {
  readonly groupTypeIndex: number
  readonly typeName: string
  readonly key: string
  readonly overrides: JsonObject
}

const NOBODY: StoredPerson = { properties: {}, createdAt: "" }
const NO_COHORTS: ReadonlySet<number> = new Set()
const NO_TYPES: ReadonlyMap<string, number> = new Map()
const NO_NEW_TYPES: Outcome<ReadonlyMap<string, number>> = { ok: true, value: NO_TYPES }
const NO_GROUPS: ReadonlyMap<number, GroupSource> = new Map()
const NO_PROPERTIES: ReadonlyMap<number, JsonObject> = new Map()
const NO_HASH_KEYS: ReadonlyMap<string, string> = new Map()

/** Reads, side by side, only what the flags need and the request lacks. What cannot be read in time is marked as such. */
export function gatherFacts(
  sources: FactSources,
  rules: CompiledRules,
  needs: ListNeeds,
  caller: Caller,
  nowMs: number,
): Awaitable<EvaluationFacts> {
  return andThen(typesBeyondRules(sources, rules, caller), (newTypes) => {
    const groupsSent = sentGroups(rules, caller.request, newTypes.ok ? newTypes.value : NO_TYPES)
    const facts = readFacts(sources, needs, caller, groupsSent, nowMs)
    if (newTypes.ok) return facts
    const knownIndexes = new Set(rules.groupTypeIndexByName.values())
    return andThen(facts, (read) => ({ ...read, unreadGroupTypes: { error: newTypes.error, knownIndexes } }))
  })
}

function readFacts(
  sources: FactSources,
  needs: ListNeeds,
  caller: Caller,
  groupsSent: readonly SentGroup[],
  nowMs: number,
): Awaitable<EvaluationFacts> {
  const { persons, reader } = sources
  const { projectId, distinctId, request, personOverrides } = caller
  const needsPerson =
    caller.usesOnlyOverrides !== true && (needs.personCreatedAt || lacks(personOverrides, needs.personProperties))
  const groupsToRead = groupsSent.filter(({ groupTypeIndex, overrides }) =>
    lacks(overrides, needs.groupProperties.find((need) => need.groupTypeIndex === groupTypeIndex)?.keys ?? []),
  )

  const reads = together([
    needsPerson ? reader.read(async () => (await persons.person(projectId, distinctId)) ?? NOBODY) : known(NOBODY),
    needs.staticCohorts ? reader.read(() => persons.staticCohortIds(projectId, distinctId)) : known(NO_COHORTS),
    groupsToRead.length > 0
      ? reader.read(() => sources.groups.groupProperties(projectId, groupsToRead))
      : known(NO_PROPERTIES),
    needs.hashKeys ? readHashKeys(sources, caller, needs.continuityFlagKeys) : known(NO_HASH_KEYS),
  ])

  return andThen(reads, ([person, cohortIds, storedGroups, hashKeys]) => ({
    nowMs,
    distinctId,
    deviceId: request.deviceId,
    anonymousDistinctId: request.anonymousDistinctId,
    person: sourceOf(
      personOverrides,
      mapOutcome(person, ({ properties }) => properties),
    ),
    personCreatedAt: person.ok && person.value.createdAt !== "" ? person.value.createdAt : null,
    groups: groupSources(groupsSent, storedGroups),
    staticCohortIds: cohortIds.ok ? cohortIds.value : cohortIds.error,
    hashKeys: hashKeys.ok ? hashKeys.value : hashKeys.error,
  }))
}

function groupSources(
  sent: readonly SentGroup[],
  stored: Outcome<ReadonlyMap<number, JsonObject>>,
): ReadonlyMap<number, GroupSource> {
  if (sent.length === 0) return NO_GROUPS
  return new Map(
    sent.map(({ groupTypeIndex, key, overrides }) => {
      const properties = mapOutcome(stored, (all) => all.get(groupTypeIndex) ?? {})
      return [groupTypeIndex, { key, ...sourceOf(overrides, properties) }]
    }),
  )
}

/** Group types that the request names and that are newer than the rules: somebody has only just named them. */
function typesBeyondRules(
  { groups, reader }: FactSources,
  rules: CompiledRules,
  { projectId, request }: Caller,
): Awaitable<Outcome<ReadonlyMap<string, number>>> {
  if (request.groups.size === 0) return NO_NEW_TYPES
  const unknown = [...request.groups.keys()].filter((name) => !rules.groupTypeIndexByName.has(name))
  if (unknown.length === 0) return NO_NEW_TYPES
  const types = groups.newGroupTypes(projectId, unknown)
  return typeof types === "function" ? reader.read(types) : { ok: true, value: types }
}

/** The groups of a request whose type the project knows, with `$group_key` among their properties. */
function sentGroups(rules: CompiledRules, request: DecideRequest, newTypes: ReadonlyMap<string, number>): SentGroup[] {
  const sent: SentGroup[] = []
  for (const [typeName, key] of request.groups) {
    const groupTypeIndex = rules.groupTypeIndexByName.get(typeName) ?? newTypes.get(typeName)
    if (groupTypeIndex === undefined) continue
    const overrides = { ...request.groupProperties.get(typeName), $group_key: key }
    sent.push({ groupTypeIndex, typeName, key, overrides })
  }
  return sent
}

const lacks = (overrides: JsonObject, keys: readonly string[]): boolean =>
  keys.some((key) => !Object.hasOwn(overrides, key))

const known = <T>(value: T): Outcome<T> => ({ ok: true, value })

const mapOutcome = <From, To>(outcome: Outcome<From>, map: (value: From) => To): Outcome<To> =>
  outcome.ok ? { ok: true, value: map(outcome.value) } : outcome

const sourceOf = (overrides: JsonObject, stored: Outcome<JsonObject>): PropertySource =>
  stored.ok
    ? { overrides, stored: stored.value, unavailable: null }
    : { overrides, stored: {}, unavailable: stored.error }
