import type { TestEngine } from "./engine.js"

export interface CaseDataset {
  readonly team: { readonly id: number; readonly timezone: string }
  readonly property_definitions: readonly { name: string; type: "event" | "person"; property_type: string }[]
  readonly persons: readonly {
    uuid: string
    created_at: string
    properties: Record<string, unknown>
    distinct_ids: readonly string[]
    is_identified: boolean
  }[]
  readonly groups: readonly { group_type_index: number; group_key: string; group_properties: Record<string, unknown> }[]
  readonly group_type_mapping: readonly { group_type: string; group_type_index: number }[]
  readonly cohorts: readonly CaseCohort[]
  readonly events: readonly CaseEvent[]
  readonly session_replay_blocks: readonly Record<string, unknown>[]
  readonly other_team: { readonly id: number; readonly events: readonly CaseEvent[] }
}

interface CaseCohort {
  readonly id: number
  readonly is_static: boolean
  /** `person property <key> <operator> <value>`, of dynamic cohorts. */
  readonly definition?: string
  readonly persons: readonly string[]
}

interface CaseEvent {
  readonly uuid?: string
  readonly timestamp: string
  readonly event: string
  readonly distinct_id: string
  readonly properties: Record<string, unknown>
}

const NOBODY = "0190dfff-0000-7000-8000-000000000000"

/** The stored tree of a dataset's cohort; null for a static one. */
export function cohortFilters({ definition }: CaseCohort): object | null {
  if (definition === undefined) return null
  const [, key, operator, value] = /^person property (\S+) (\S+) (\S+)$/.exec(definition) ?? []
  return { properties: { type: "AND", values: [{ type: "person", key, operator, value }] } }
}

type Rows = readonly Record<string, unknown>[]

/** Writes the dataset's rows the way ingestion stores them. */
export function loadDataset(engine: TestEngine, dataset: CaseDataset): void {
  for (const [table, rows] of datasetRows(dataset)) engine.insert(table, rows)
}

/** The dataset as rows of stored tables. */
export function datasetRows(dataset: CaseDataset): [table: string, rows: Rows][] {
  const project_id = dataset.team.id
  const personOf = new Map(dataset.persons.flatMap((person) => person.distinct_ids.map((id) => [id, person] as const)))
  const eventRow = (event: CaseEvent, project: number, index: number) => {
    const person = project === project_id ? personOf.get(event.distinct_id) : undefined
    const text = (key: string) => (typeof event.properties[key] === "string" ? event.properties[key] : "")
    return {
      project_id: project,
      uuid: event.uuid ?? `0190e000-0000-7000-8000-${String(index).padStart(12, "0")}`,
      event: event.event,
      distinct_id: event.distinct_id,
      properties: JSON.stringify(event.properties),
      timestamp: event.timestamp,
      created_at: event.timestamp,
      person_id: person?.uuid ?? NOBODY,
      person_created_at: person?.created_at ?? "1970-01-01T00:00:00Z",
      person_properties: JSON.stringify(person?.properties ?? {}),
      person_mode: "full",
      $session_id: text("$session_id"),
      $group_0: text("$group_0"),
    }
  }
  return [
    ["events", dataset.events.map((event, index) => eventRow(event, project_id, index))],
    ["events", dataset.other_team.events.map((event, index) => eventRow(event, dataset.other_team.id, index))],
    [
      "persons",
      dataset.persons.map((person) => ({
        project_id,
        id: person.uuid,
        created_at: person.created_at,
        properties: JSON.stringify(person.properties),
        is_identified: person.is_identified,
        version: 1,
      })),
    ],
    [
      "person_distinct_ids",
      dataset.persons.flatMap((person) =>
        person.distinct_ids.map((distinct_id) => ({ project_id, distinct_id, person_id: person.uuid, version: 1 })),
      ),
    ],
    [
      "groups",
      dataset.groups.map((group) => ({
        project_id,
        group_type_index: group.group_type_index,
        group_key: group.group_key,
        created_at: "2024-01-01T00:00:00Z",
        properties: JSON.stringify(group.group_properties),
        version: 1,
      })),
    ],
    [
      "cohort_people",
      dataset.cohorts.flatMap((cohort) =>
        cohort.persons.map((person_id) => ({
          project_id,
          cohort_id: cohort.id,
          person_id,
          is_static: cohort.is_static,
          version: 1,
        })),
      ),
    ],
    ["session_replay_events", dataset.session_replay_blocks.map((block) => ({ project_id, ...block }))],
  ]
}
