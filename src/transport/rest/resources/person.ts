import { ANY_OBJECT, BOOLEAN, TEXT, TEXT_LIST, TIME, UUID } from "../../../kernel/json-schema.js"
import { defineResource } from "./resource.js"

const ID = { id: { schema: UUID } }
const SAME_ID = { uuid: { schema: UUID, from: "id" } }
const FIELDS = {
  name: { schema: TEXT },
  distinct_ids: { schema: TEXT_LIST },
  properties: { schema: ANY_OBJECT },
  created_at: { schema: TIME },
}
const IS_IDENTIFIED = { is_identified: { schema: BOOLEAN } }

/** A person. */
export const PERSON = defineResource(["Person", "Person"], { ...ID, ...FIELDS, ...SAME_ID, ...IS_IDENTIFIED })

/** A person in a list (`docs/contract/management.md#persons`). */
export const LISTED_PERSON = defineResource(["ListedPerson", "Person"], {
  ...ID,
  ...SAME_ID,
  ...FIELDS,
  ...IS_IDENTIFIED,
  // Both belong to the lists behind an insight; clients read them from every list.
  matched_recordings: { schema: null, always: [] },
  value_at_data_point: { schema: null, always: null },
})
