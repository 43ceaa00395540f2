import type { ProjectId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import { type PersonEvent, PersonWorkspace, type ProjectFacts } from "../../persons/index.js"
import type { StoredPerson } from "../flags.types.js"
import type { NamedGroup } from "./pending-changes.js"

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
  const seen = workspace.process(lookAt(distinctId))
  if (!seen.kept || seen.personMode === "propertyless") return null
  const { createdAtMs, propertiesJson } = seen.person
  return { properties: JSON.parse(propertiesJson) as JsonObject, createdAt: new Date(createdAtMs).toISOString() }
}

/**
 * Properties by type index of groups once ingestion will have stored the pending events. A group nobody stored is absent; so
 * is one whose type is new, because rules do not know the type yet.
 */
export function applyPendingGroups(
  projectId: ProjectId,
  facts: ProjectFacts,
  events: readonly PersonEvent[],
  groups: readonly NamedGroup[],
): Map<number, JsonObject> {
  const workspace = new PersonWorkspace(projectId, facts)
  for (const event of events) workspace.process(event)
  const properties = new Map<string, JsonObject>()
  for (const group of [...facts.groups, ...workspace.changes().groups])
    properties.set(`${group.typeIndex} ${group.key}`, group.properties)
  const found = new Map<number, JsonObject>()
  for (const { typeName, key } of groups) {
    const typeIndex = facts.groupTypes.find(({ name }) => name === typeName)?.typeIndex
    const known = typeIndex === undefined ? undefined : properties.get(`${typeIndex} ${key}`)
    if (typeIndex !== undefined && known !== undefined) found.set(typeIndex, known)
  }
  return found
}

/** An event that changes nothing and shows the person as they are: without a profile, and later than any person. */
export const lookAt = (distinctId: string): PersonEvent => ({
  uuid: "",
  event: "",
  distinctId,
  properties: { $process_person_profile: false },
  timestampMs: Number.MAX_SAFE_INTEGER,
  receivedAtMs: 0,
})
