import type { TableDefinition } from "./schema.js"

const members = (name: string, isStatic: 0 | 1): TableDefinition => ({
  name,
  stored: "cohort_people",
  where: `r.is_static = ${isStatic}`,
  columns: {
    team_id: { type: "Integer", sql: "any(r.project_id)" },
    cohort_id: { type: "Integer", sql: "r.cohort_id" },
    person_id: { type: "UUID", sql: "r.person_id" },
  },
  groupBy: ["r.cohort_id", "r.person_id"],
  having: "argMax(r.is_deleted, r.version) = 0",
  joins: { person: { table: "persons", from: "person_id", to: "id" } },
})

/**
 * People of dynamic cohorts, which are defined by conditions. A query that names the table evaluates the conditions on the
 * persons as they are now (`resolve/cohort-members.ts`); stored members are read only when no cohorts of the project are known.
 */
export const COHORT_PEOPLE = members("cohort_people", 0)
/** People of cohorts that are lists. */
export const STATIC_COHORT_PEOPLE = members("static_cohort_people", 1)
/** Every stored version of every membership, the ended ones too. */
export const RAW_COHORT_PEOPLE: TableDefinition = {
  name: "raw_cohort_people",
  stored: "cohort_people",
  columns: {
    team_id: { type: "Integer", sql: "r.project_id" },
    cohort_id: { type: "Integer", sql: "r.cohort_id" },
    person_id: { type: "UUID", sql: "r.person_id" },
    sign: { type: "Integer", sql: "if(r.is_deleted, -1, 1)" },
    version: { type: "Integer", sql: "r.version" },
  },
}
/** Both kinds, for `IN COHORT`. */
export const ALL_COHORT_PEOPLE: TableDefinition = {
  ...members("all_cohort_people", 0),
  where: "1",
  internal: true,
}
