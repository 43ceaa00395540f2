import type { ProjectChanges } from "../persons/index.js"
import { fromMs } from "./event-row.js"

/** What a slice changes in ClickHouse beside its events, as rows per table. */
export interface PersonRows {
  readonly livePersons: readonly string[]
  readonly tombstones: readonly string[]
  readonly distinctIds: readonly string[]
  readonly overrides: readonly string[]
  readonly groups: readonly string[]
}

/** Writes the changes of all projects of a slice as JSON rows of ClickHouse's copies, in a fixed order. */
export function toPersonRows(changes: readonly ProjectChanges[]): PersonRows {
  const persons = changes.flatMap(({ projectId, persons }) => persons.map((person) => ({ projectId, ...person })))
  const distinctIds = changes.flatMap(({ projectId, distinctIds }) =>
    distinctIds.map(({ distinctId, personId, version }) => ({
      version,
      row: JSON.stringify({
        project_id: projectId,
        distinct_id: distinctId,
        person_id: personId,
        is_deleted: personId === null,
        version,
      }),
    })),
  )
  return {
    livePersons: persons.filter(({ isDeleted }) => !isDeleted).map(toPersonRow),
    tombstones: persons.filter(({ isDeleted }) => isDeleted).map(toPersonRow),
    distinctIds: distinctIds.map(({ row }) => row),
    // Version 0 means that no event can carry another person than this one.
    overrides: distinctIds.filter(({ version }) => version > 0).map(({ row }) => row),
    groups: changes.flatMap(({ projectId, groups }) =>
      groups.map((group) =>
        JSON.stringify({
          project_id: projectId,
          group_type_index: group.typeIndex,
          group_key: group.key,
          created_at: fromMs(group.createdAtMs),
          updated_at: fromMs(group.updatedAtMs ?? group.createdAtMs),
          properties: group.properties,
          is_deleted: false,
          version: group.version,
        }),
      ),
    ),
  }
}

type ScopedPerson = ProjectChanges["persons"][number] & Pick<ProjectChanges, "projectId">

function toPersonRow(person: ScopedPerson): string {
  return JSON.stringify({
    project_id: person.projectId,
    id: person.id,
    created_at: fromMs(person.createdAtMs),
    properties: person.properties,
    is_identified: person.isIdentified,
    is_deleted: person.isDeleted,
    version: person.version,
  })
}
