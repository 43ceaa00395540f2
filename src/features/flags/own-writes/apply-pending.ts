import type { ProjectId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import { type PersonEvent, PersonWorkspace, type ProjectFacts } from "../../persons/index.js"
import type { StoredPerson } from "../flags.types.js"

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

/** An event that changes nothing and shows the person as they are: without a profile, and later than any person. */
export const lookAt = (distinctId: string): PersonEvent => ({
  uuid: "",
  event: "",
  distinctId,
  properties: { $process_person_profile: false },
  timestampMs: Number.MAX_SAFE_INTEGER,
  receivedAtMs: 0,
})
