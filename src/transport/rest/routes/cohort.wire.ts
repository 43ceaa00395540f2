import type { Json } from "../../../kernel/json.js"
import { ANY_OBJECT, BOOLEAN, INTEGER, objectOf, TEXT, TIME } from "../../../kernel/json-schema.js"
import { anyJson, type FieldReader, flag, nullable, readFields, text, texts } from "../body-fields.js"
import { readDistinctIds } from "../read-csv.js"
import type { RestRequest } from "../rest-route.types.js"
import { NULLABLE_USER } from "../schemas.js"
import { toWireUser, USER_FIELDS, type UserData } from "../user.wire.js"

/** A cohort as the operations answer it. */
export interface CohortData {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly isStatic: boolean
  readonly filters: Json
  readonly deleted: boolean
  readonly createdAt: string
  readonly createdBy: UserData | null
}

/** GraphQL fields of `CohortData`. */
export const COHORT_FIELDS = `id name description isStatic filters deleted createdAt createdBy { ${USER_FIELDS} }`

/** A cohort as the management path shows it. Membership is worked out when it is asked for, never beforehand. */
export const toWireCohort = (one: CohortData) => ({
  id: one.id,
  name: one.name,
  description: one.description,
  filters: one.filters,
  is_static: one.isStatic,
  is_calculating: false,
  deleted: one.deleted,
  created_at: one.createdAt,
  created_by: toWireUser(one.createdBy),
})

const WRITABLE = {
  name: ["name", text],
  description: ["description", nullable(text)],
  filters: ["filters", nullable(anyJson)],
  deleted: ["deleted", flag],
} as const

/** Distinct ids of a file in a form, or the text of such a file. */
const idsOfCsv: FieldReader<string[]> = (value, field) =>
  Array.isArray(value) ? texts(value, field) : readDistinctIds(text(value, field), field)

/**
 * Reads the writable fields of a body, JSON or a form with a file `csv` of members.
 * @throws AppError naming the field at fault.
 */
export const toCohortInput = ({ body }: RestRequest) =>
  readFields(body, { ...WRITABLE, csv: ["distinctIds", idsOfCsv] })

/** The same for a new cohort, with whether its members are listed. */
export function toNewCohort(request: RestRequest) {
  const { isStatic = false } = readFields(request.body, { is_static: ["isStatic", flag] })
  return { isStatic, input: toCohortInput(request) }
}

/** Distinct ids of a body: a list under `distinct_ids`, CSV under `csv`, or both. @throws AppError naming the field. */
export function toMembers({ body }: RestRequest): string[] {
  const { distinctIds = [], ofCsv = [] } = readFields(body, {
    distinct_ids: ["distinctIds", texts],
    csv: ["ofCsv", idsOfCsv],
  })
  return distinctIds.concat(ofCsv)
}

/** JSON Schemas of the fields that a caller may write. */
export const WRITABLE_COHORT = { name: TEXT, description: TEXT, filters: ANY_OBJECT, deleted: BOOLEAN }
/** A form may bring the members along. */
export const COHORT_CSV = { csv: TEXT }

/** JSON Schema of a cohort. */
export const COHORT = objectOf({
  id: INTEGER,
  ...WRITABLE_COHORT,
  filters: { type: ["object", "null"], additionalProperties: true },
  is_static: BOOLEAN,
  is_calculating: BOOLEAN,
  created_at: TIME,
  created_by: NULLABLE_USER,
})

/** JSON Schema of a list of members to add or to remove. */
export const MEMBERS = objectOf({ distinct_ids: { type: "array", items: TEXT }, csv: TEXT })
