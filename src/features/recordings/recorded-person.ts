import type { ProjectId } from "../../kernel/ids.js"
import { choosePersonName, derivePersonId, orderDistinctIds, type Person, toPersonNumber } from "../persons/index.js"
import type { RecordedPerson, Recording } from "./recordings.types.js"

const MAX_DISTINCT_IDS = 10

/** The person of a recording. @param distinctIds all ids of the person, in any order. */
export function toRecordedPerson(
  { distinctId, isListed }: Pick<Recording, "distinctId" | "isListed">,
  person: Person,
  distinctIds: readonly string[],
): RecordedPerson {
  return {
    id: toPersonNumber(person.id),
    name: choosePersonName(person, distinctIds),
    distinctIds: isListed ? [distinctId] : orderDistinctIds(distinctIds).slice(0, MAX_DISTINCT_IDS),
    properties: person.properties,
    createdAt: person.createdAt,
    uuid: person.id,
  }
}

/** What stands for the person of an id that has none: the uuid is the one such a person would get. */
export const toUnknownPerson = (projectId: ProjectId, distinctId: string): RecordedPerson => ({
  id: null,
  name: null,
  distinctIds: [distinctId],
  properties: {},
  createdAt: null,
  uuid: derivePersonId(projectId, distinctId),
})
