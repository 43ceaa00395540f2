import type { Person, PersonDirectory } from "../../features/persons/index.js"
import type { RecordingLister } from "../../features/queries/index.js"
import {
  type RecordedPerson,
  type Recording,
  type RecordingsService,
  toRecordedPerson,
  toUnknownPerson,
} from "../../features/recordings/index.js"
import type { JsonObject } from "../../kernel/json.js"
import { firstRows } from "../../kernel/paging.js"
import { RECORDING } from "../../transport/rest/resources/recording.js"

/** Lets queries list recordings with the keys that REST's list has. */
export function createRecordingLister(
  recordings: Pick<RecordingsService, "listByQuery">,
  persons: Pick<PersonDirectory, "findByDistinctIds" | "listDistinctIds">,
): RecordingLister {
  return {
    async list(projectId, query, { limit, offset }) {
      const request = { ...firstRows(limit), offset, isCounted: true }
      const { items, countAll } = await recordings.listByQuery(projectId, query, request)
      const known = await persons.findByDistinctIds(projectId, [...new Set(items.map(({ distinctId }) => distinctId))])
      const ids = await persons.listDistinctIds(projectId, [...new Set([...known.values()].map(({ id }) => id))])
      const findPerson = (recording: Recording): RecordedPerson => {
        const person: Person | undefined = known.get(recording.distinctId)
        return person === undefined
          ? toUnknownPerson(projectId, recording.distinctId)
          : toRecordedPerson(recording, person, ids.get(person.id) ?? [])
      }
      return { items: items.map((recording) => toItem(recording, findPerson(recording))), totalCount: await countAll() }
    },
  }
}

function toItem(recording: Recording, person: RecordedPerson): JsonObject {
  const { startTime, endTime } = recording
  const {
    viewed: _,
    viewers: __,
    ...item
  } = RECORDING.show({
    ...recording,
    startTime: startTime.toISOString(),
    endTime: endTime.toISOString(),
    person: { ...person, createdAt: person.createdAt?.toISOString() ?? null },
  })
  return item
}
