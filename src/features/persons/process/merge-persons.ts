import type { JsonObject } from "../../../kernel/json.js"
import { isIllegalForMerge } from "./illegal-distinct-ids.js"
import type { MergeRequest } from "./merge-request.js"
import { buildNewProperties } from "./new-person.js"
import type { Person, PersonRegistry } from "./person-registry.js"
import type { PersonEvent, PersonOperations, ProcessingWarning } from "./process.types.js"

/**
 * Makes two distinct ids one person, by the rules of `docs/contract/capture.md#merges`. What may not be merged is a
 * warning; the event itself goes on. After it both ids resolve to one person, unless there is a warning.
 */
export function mergePersons(
  registry: PersonRegistry,
  event: PersonEvent,
  request: MergeRequest,
  operations: PersonOperations,
): ProcessingWarning[] {
  const { source, target } = request
  if (source === target) return []
  const illegal = [target, source].find(isIllegalForMerge)
  if (illegal !== undefined)
    return [
      {
        type: "cannot_merge_with_illegal_distinct_id",
        details: {
          illegalDistinctId: illegal,
          otherDistinctId: illegal === target ? source : target,
          eventUuid: event.uuid,
        },
      },
    ]
  const sourcePerson = registry.find(source)
  const targetPerson = registry.find(target)
  if (sourcePerson !== null && targetPerson !== null)
    return sourcePerson === targetPerson
      ? identified(registry, targetPerson)
      : mergeTwo(registry, event, request, sourcePerson, targetPerson)
  if (sourcePerson !== null) return attach(registry, target, sourcePerson)
  if (targetPerson !== null) return attach(registry, source, targetPerson)
  createForBoth(registry, event, request, operations)
  return []
}

function identified(registry: PersonRegistry, person: Person): ProcessingWarning[] {
  registry.markIdentified(person)
  return []
}

function attach(registry: PersonRegistry, distinctId: string, person: Person): ProcessingWarning[] {
  registry.attach(distinctId, person)
  return identified(registry, person)
}

/**
 * The target gives the person id, unless only the source has events already: those then need no override. Properties that are
 * too large are left out; the update that follows every merge finds the same and warns.
 */
function createForBoth(
  registry: PersonRegistry,
  event: PersonEvent,
  { source, target }: MergeRequest,
  operations: PersonOperations,
): void {
  const sourceFirst = registry.hasEventsWithoutProfile(source) && !registry.hasEventsWithoutProfile(target)
  const [primary, secondary] = sourceFirst ? [source, target] : [target, source]
  const person = registry.create(primary, {
    properties: buildNewProperties(event, operations).properties,
    isIdentified: true,
    createdAtMs: event.timestampMs,
  })
  registry.attach(secondary, person)
}

function mergeTwo(
  registry: PersonRegistry,
  event: PersonEvent,
  { source, target, policy }: MergeRequest,
  sourcePerson: Person,
  targetPerson: Person,
): ProcessingWarning[] {
  const details: JsonObject = {
    sourcePersonDistinctId: source,
    targetPersonDistinctId: target,
    eventUuid: event.uuid,
  }
  const swapped = policy === "identified_survives" && sourcePerson.isIdentified && !targetPerson.isIdentified
  const [merged, survivor] = swapped ? [targetPerson, sourcePerson] : [sourcePerson, targetPerson]
  if (merged.isIdentified && policy !== "always") {
    registry.markIdentified(survivor)
    return [{ type: "cannot_merge_already_identified", details }]
  }
  return registry.merge(merged, survivor) ? [] : [{ type: "person_properties_size_violation", details }]
}
