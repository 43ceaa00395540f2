import { ALL_COHORT_PEOPLE, COHORT_PEOPLE, RAW_COHORT_PEOPLE, STATIC_COHORT_PEOPLE } from "./cohorts.js"
import { EVENTS } from "./events.js"
import { GROUPS, RAW_GROUPS } from "./groups.js"
import {
  PERSON_DISTINCT_ID_OVERRIDES,
  PERSON_DISTINCT_IDS,
  PERSON_OVERRIDES,
  PERSONS,
  RAW_PERSON_DISTINCT_IDS,
  RAW_PERSON_OVERRIDES,
  RAW_PERSONS,
} from "./persons.js"
import { LOG_ENTRIES, RAW_SESSION_REPLAY_EVENTS, SESSION_REPLAY_EVENTS } from "./recordings.js"
import { RECORD_TABLES } from "./records.js"
import type { TableDefinition } from "./schema.js"
import { SESSIONS } from "./sessions.js"

const ALL: readonly TableDefinition[] = [
  EVENTS,
  PERSONS,
  PERSON_DISTINCT_IDS,
  PERSON_DISTINCT_ID_OVERRIDES,
  PERSON_OVERRIDES,
  GROUPS,
  SESSIONS,
  SESSION_REPLAY_EVENTS,
  COHORT_PEOPLE,
  STATIC_COHORT_PEOPLE,
  ALL_COHORT_PEOPLE,
  LOG_ENTRIES,
  RAW_PERSONS,
  RAW_PERSON_DISTINCT_IDS,
  RAW_PERSON_OVERRIDES,
  RAW_GROUPS,
  RAW_COHORT_PEOPLE,
  RAW_SESSION_REPLAY_EVENTS,
  ...RECORD_TABLES,
]

const BY_NAME: ReadonlyMap<string, TableDefinition> = new Map(ALL.map((table) => [table.name, table]))

/** Tables a query may name, `numbers` apart. */
export const TABLES: readonly TableDefinition[] = ALL.filter((table) => !table.internal)

/** The table a query names; undefined for unknown and internal ones. */
export const findTable = (name: string): TableDefinition | undefined => {
  const table = BY_NAME.get(name)
  return table?.internal ? undefined : table
}

/** A table that the schema itself names. Throws when it does not exist, which is a defect of the schema. */
export function schemaTable(name: string): TableDefinition {
  const table = BY_NAME.get(name)
  if (table === undefined) throw new Error(`the schema names an unknown table: ${name}`)
  return table
}
