import { ANY_OBJECT, BOOLEAN, INTEGER, TEXT, TIME } from "../../../kernel/json-schema.js"
import { anyJson, type FieldReader, flag, nullable, text, textList } from "../body-fields.js"
import { readDistinctIds } from "../read-csv.js"
import { defineResource, nested } from "./resource.js"
import { USER } from "./user.js"

/** A cohort. Membership is worked out when it is asked for, never beforehand. */
export const COHORT = defineResource(["Cohort", "Cohort"], {
  id: { schema: INTEGER },
  name: { schema: TEXT, read: text },
  description: { schema: TEXT, read: nullable(text) },
  filters: {
    schema: { type: ["object", "null"], additionalProperties: true },
    read: nullable(anyJson),
    writtenAs: ANY_OBJECT,
  },
  is_static: { schema: BOOLEAN },
  is_calculating: { schema: BOOLEAN, always: false },
  deleted: { schema: BOOLEAN, read: flag },
  created_at: { schema: TIME },
  created_by: nested(USER),
})

/** Distinct ids of a CSV file in a form, or the text of such a file. */
export const csvOfIds: FieldReader<string[]> = (value, field) =>
  Array.isArray(value) ? textList(value, field) : readDistinctIds(text(value, field), field)
