import { AppError } from "../../../kernel/errors.js"
import { ANY_JSON, ANY_OBJECT, BOOLEAN, INTEGER, TEXT, toObjectSchema } from "../../../kernel/json-schema.js"
import { anyJson, defineBody, type FieldReader, flag, nullable, object, text, textList } from "../body-fields.js"
import { defineRoutes, succeeded } from "../define-route.js"
import { defineQuery } from "../query-parameters.js"
import { readFlag } from "../read-query.js"
import type { RestRoute } from "../rest-route.types.js"
import { PERSONS } from "./collections.js"
import { readPersonId } from "./person-query.js"

const IDS = { type: "array", items: TEXT, maxItems: 1000 }

const orFalse: FieldReader<boolean> = (value, field) => value !== null && flag(value, field)
const readFlagOrFalse = (query: URLSearchParams, name: string): boolean => readFlag(query, name) ?? false

const BULK_DELETION = defineBody({
  ids: { schema: IDS, read: nullable(textList) },
  distinct_ids: { schema: IDS, read: nullable(textList) },
  delete_events: { schema: BOOLEAN, read: orFalse },
  delete_recordings: { schema: BOOLEAN, read: orFalse },
})
const DELETION_QUERY = defineQuery({
  delete_events: {
    description: "Whether the person's events go too.",
    schema: BOOLEAN,
    read: readFlagOrFalse,
  },
  delete_recordings: {
    description: "Whether the person's recordings go too.",
    schema: BOOLEAN,
    read: readFlagOrFalse,
  },
})
const SPLIT = defineBody({ main_distinct_id: { schema: TEXT, read: nullable(text) } })
const PROPERTIES = defineBody({ properties: { schema: ANY_OBJECT, read: object, isRequired: true } })
const PROPERTY = defineBody({
  key: { schema: TEXT, read: text, isRequired: true },
  value: { schema: ANY_JSON, read: anyJson, isRequired: true },
})
const UNSET = defineBody({ $unset: { schema: TEXT, read: text, as: "unset", isRequired: true } })

const { route, guarded } = defineRoutes(PERSONS)

/** What sends an event about a person. */
const UPDATE = { operation: "mutation { updatePerson }", statuses: [202] }

/** Rows that change persons. */
export const personChangeRoutes: readonly RestRoute[] = [
  guarded({
    id: "persons_create",
    on: "POST",
    statuses: [405],
    reply: () => {
      throw new AppError("method_not_allowed", {
        detail:
          "Persons are not created here. Send an $identify event to a capture endpoint, and the person will be there.",
      })
    },
    summary: "Refused: persons are created by events.",
    faults: [405],
  }),
  route({
    id: "persons_bulk_delete_create",
    on: "POST /bulk_delete",
    statuses: [202],
    body: BULK_DELETION,
    operation: "mutation { count: deletePersons }",
    reply: ({ count }) => ({ status: 202, body: { persons_deleted: count } }),
    summary: "Delete up to 1,000 persons, by ids or by distinct ids.",
    responseSchema: toObjectSchema({ persons_deleted: INTEGER }),
  }),
  route({
    id: "persons_destroy",
    on: "DELETE /:id",
    statuses: [202],
    query: DELETION_QUERY,
    operation: "mutation { deletePerson }",
    variables: (request) => ({ ...DELETION_QUERY.read(request), id: readPersonId(request.params.id) }),
    summary: "Delete a person; with `delete_events` its events too, with `delete_recordings` its recordings.",
  }),
  route({
    id: "persons_split_create",
    on: "POST /:id/split",
    body: SPLIT,
    operation: "mutation { splitPerson { id } }",
    variables: ({ params, body }) => ({ ...SPLIT.read(body), id: readPersonId(params.id) }),
    ...succeeded(201),
    summary: "Give every distinct id of a person but one a person of its own.",
  }),
  route({
    ...UPDATE,
    id: "persons_partial_update",
    on: "PATCH /:id",
    body: PROPERTIES,
    variables: ({ params, body }) => ({ id: readPersonId(params.id), set: PROPERTIES.read(body).properties }),
    summary: "Set properties of a person, by an event.",
  }),
  route({
    ...UPDATE,
    id: "persons_update_property_create",
    on: "POST /:id/update_property",
    body: PROPERTY,
    variables: ({ params, body }) => {
      const { key, value } = PROPERTY.read(body)
      return { id: readPersonId(params.id), set: { [key]: value } }
    },
    summary: "Set one property of a person, by an event.",
  }),
  route({
    ...UPDATE,
    id: "persons_delete_property_create",
    on: "POST /:id/delete_property",
    body: UNSET,
    variables: ({ params, body }) => ({ id: readPersonId(params.id), unset: [UNSET.read(body).unset] }),
    summary: "Remove one property of a person, by an event.",
  }),
]
