import type { CohortDefinition } from "../hogql.types.js"
import { HogqlError, queryError } from "../hogql-error.js"
import { alias, array, call, compare, constant, field, select, source } from "../nodes/make.js"
import type { Expression, Query, Span } from "../nodes/nodes.js"
import { placeAt } from "../nodes/place.js"
import { cohortCondition } from "../placeholders/cohort-condition.js"
import { COHORT_PEOPLE } from "../schema/cohorts.js"
import type { TableDefinition } from "../schema/schema.js"
import { schemaTable } from "../schema/tables.js"
import { type SqlQuery, sqlCall, sqlNumber, sqlSelect } from "../sql/sql.js"
import type { Compilation } from "./compilation.js"
import { TableRelation } from "./table-relation.js"

const MAX_DYNAMIC_COHORTS = 100
const MAX_DEPTH = 20

/**
 * A query for the ids of the persons in a cohort. Those of a static cohort are stored. The conditions of a dynamic one are
 * evaluated on the persons as they are now, so that changes, merges and deletions count at once.
 *
 * @throws HogqlError naming the cohort when it does not exist in the project or its definition cannot be asked for
 */
export function cohortMembers(id: number, compilation: Compilation, at: Span): SqlQuery {
  const members = compilation.cohortMembers.get(id) ?? findMembers(id, compilation, at)
  compilation.cohortMembers.set(id, members)
  return members
}

function findMembers(id: number, compilation: Compilation, at: Span): SqlQuery {
  const { cohortsById } = compilation.scope
  const cohort = cohortsById?.get(id)
  if (cohortsById !== undefined && cohort === undefined) {
    throw queryError(`Could not find cohort with ID ${id}${nameAskingCohort(compilation)}.`, at)
  }
  if (cohort === undefined || cohort.isStatic) return storedMembers(id, compilation)
  return dynamicMembers(cohort, compilation, at)
}

function dynamicMembers(cohort: CohortDefinition, compilation: Compilation, at: Span): SqlQuery {
  const { cohortsUnderWay } = compilation
  if (cohortsUnderWay.some(({ id }) => id === cohort.id)) throw unusable(cohort, "It leads back to itself.", at)
  if (cohortsUnderWay.length >= MAX_DEPTH)
    throw unusable(cohortsUnderWay[0] ?? cohort, `It asks for cohorts over ${MAX_DEPTH} levels deep.`, at)
  const where = readDefinition(cohort, compilation, at)
  const persons = select({ columns: [field(["id"])], from: [source(field(["persons"]))], where })
  cohortsUnderWay.push(cohort)
  try {
    return compilation.resolveQuery(placeAt(persons, at), null).sql
  } finally {
    cohortsUnderWay.pop()
  }
}

/**
 * The table `cohort_people`: who is in which dynamic cohort. Reads the persons once for all of them. Null when the project
 * has none.
 *
 * @throws HogqlError as `cohortMembers`, and for more than 100 dynamic cohorts
 */
export function cohortPeople(compilation: Compilation, name: string, at: Span): TableRelation | null {
  const cohorts = [...(compilation.scope.cohortsById?.values() ?? [])].filter(({ isStatic }) => !isStatic)
  if (cohorts.length === 0) return null
  if (cohorts.length > MAX_DYNAMIC_COHORTS)
    throw queryError(`cohort_people can show at most ${MAX_DYNAMIC_COHORTS} dynamic cohorts; use IN COHORT.`, at)
  const ids = cohorts.map((cohort) =>
    call("if", [readDefinition(cohort, compilation, at), constant(cohort.id), constant(0)]),
  )
  const each = select({
    columns: [
      field(["team_id"]),
      alias("cohort_id", call("arrayJoin", [array(ids)])),
      alias("person_id", field(["id"])),
    ],
    from: [source(field(["persons"]))],
  })
  const people: Query = select({
    columns: ["team_id", "cohort_id", "person_id"].map((column) => field([column])),
    from: [source(each)],
    where: compare("!=", field(["cohort_id"]), constant(0)),
  })
  const { sql, columns } = compilation.resolveQuery(placeAt(people, at), null)
  const { name: tableName, stored, joins = {} } = COHORT_PEOPLE
  const own = columns.map((item) => [item.name, { type: item.typed.type.name, sql: `r.${item.sqlName}` }] as const)
  const definition: TableDefinition = { name: tableName, stored, joins, columns: Object.fromEntries(own) }
  return new TableRelation(definition, compilation, compilation.freshName("t"), { name, rows: sql })
}

/** Errors in a definition name the cohort. */
function readDefinition(cohort: CohortDefinition, { scope }: Compilation, at: Span): Expression {
  try {
    return cohortCondition(cohort.filters, at, scope)
  } catch (failure) {
    if (!(failure instanceof HogqlError)) throw failure
    throw unusable(cohort, failure.message, at)
  }
}

/** Ends a sentence about what is missing with the cohort whose definition asks for it, if one does. */
export function nameAskingCohort({ cohortsUnderWay }: Compilation): string {
  const asking = cohortsUnderWay.at(-1)
  return asking === undefined ? "" : `, which ${toName(asking)} asks for`
}

const unusable = (cohort: CohortDefinition, reason: string, at: Span): HogqlError =>
  queryError(`Queries cannot use ${toName(cohort)}: ${reason}`, at)

const toName = ({ id, name }: CohortDefinition): string => `cohort '${name.slice(0, 100)}' (ID ${id})`

function storedMembers(id: number, compilation: Compilation): SqlQuery {
  const members = new TableRelation(schemaTable("all_cohort_people"), compilation, compilation.freshName("t"))
  const person = members.read("person_id")
  const cohort = members.read("cohort_id")
  return sqlSelect({
    columns: [person],
    from: [{ table: members.toTable(), alias: members.alias, join: null, on: null }],
    where: sqlCall("equals", cohort, sqlNumber(id)),
  })
}
