import type { ProjectId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import { type PersonEvent, PersonWorkspace, type ProjectFacts } from "../../persons/index.js"
import type { StoredPerson } from "../flags.types.js"
import type { NamedGroup } from "./pending-changes.types.js"

/**
 * The person behind an id once ingestion will have stored the pending events: they go through ingestion's own rules, over
 * the facts as they are stored now.
 */
export function applyPending(
  projectId: ProjectId,
  facts: ProjectFacts,
  events: readonly PersonEvent[],
  distinctId: string,
): StoredPerson | null {
  const workspace = new PersonWorkspace(projectId, facts)
  for (const event of events) workspace.process(event)
  const seen = workspace.process(createProbe(distinctId))
  if (!seen.kept || seen.personMode === "propertyless") return null
  const { createdAtMs, propertiesJson } = seen.person
  return { properties: JSON.parse(propertiesJson) as JsonObject, createdAt: new Date(createdAtMs).toISOString() }
}

/**
 * Properties of groups, by the index they are asked for with, once ingestion will have stored the pending events. A group
 * nobody stored is absent. Types that are new get places of their own here, which need not be those they will have.
 */
export function applyPendingGroups(
  projectId: ProjectId,
  facts: ProjectFacts,
  events: readonly PersonEvent[],
  groups: readonly (NamedGroup & { readonly groupTypeIndex: number })[],
): Map<number, JsonObject> {
  const changes = computeChanges(projectId, facts, events)
  const types = listGroupTypes(facts, changes)
  const properties = new Map<string, JsonObject>()
  for (const group of [...facts.groups, ...changes.groups])
    properties.set(`${group.typeIndex} ${group.key}`, group.properties)
  const found = new Map<number, JsonObject>()
  for (const { groupTypeIndex, typeName, key } of groups) {
    const known = properties.get(`${types.get(typeName)} ${key}`)
    if (known !== undefined) found.set(groupTypeIndex, known)
  }
  return found
}

/** Indexes by name of a project's group types once ingestion will have stored the pending events. */
export const applyPendingGroupTypes = (
  projectId: ProjectId,
  facts: ProjectFacts,
  events: readonly PersonEvent[],
): Map<string, number> => listGroupTypes(facts, computeChanges(projectId, facts, events))

function computeChanges(projectId: ProjectId, facts: ProjectFacts, events: readonly PersonEvent[]) {
  const workspace = new PersonWorkspace(projectId, facts)
  for (const event of events) workspace.process(event)
  return workspace.takeChanges()
}

const listGroupTypes = (facts: ProjectFacts, changes: ReturnType<typeof computeChanges>): Map<string, number> =>
  new Map([...facts.groupTypes, ...changes.groupTypes].map(({ name, typeIndex }) => [name, typeIndex]))

/** An event that changes nothing and shows the person as they are: without a profile, and later than any person. */
export const createProbe = (distinctId: string): PersonEvent => ({
  uuid: "",
  event: "",
  distinctId,
  properties: { $process_person_profile: false },
  timestampMs: Number.MAX_SAFE_INTEGER,
  receivedAtMs: 0,
})
