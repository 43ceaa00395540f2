import { AppError } from "../../../kernel/errors.js"
import type { Json } from "../../../kernel/json.js"
import { ANY_JSON, ANY_OBJECT, BOOLEAN, INTEGER, TEXT, toObjectSchema } from "../../../kernel/json-schema.js"
import {
  anyJson,
  type BodyShape,
  defineBody,
  type FieldReader,
  flag,
  nullable,
  object,
  text,
  textList,
} from "../body-fields.js"
import { defineGuarded, defineRoute } from "../define-route.js"
import { defineQuery } from "../query-parameters.js"
import { readFlag } from "../read-query.js"
import type { RestRoute } from "../rest-route.types.js"
import { PERSONS, readPersonId } from "./person-query.js"

const ONE = `${PERSONS}/:id`
const SCOPE = "person:write"
const SOURCE = "docs/contract/management.md#persons"
const IDS = { type: "array", items: TEXT, maxItems: 1000 }

const UPDATE = `mutation ($projectId: ID!, $id: ID!, $set: JSON, $unset: [String!]) {
  updatePerson(projectId: $projectId, id: $id, set: $set, unset: $unset) }`

interface UpdateRow<Fields> {
  readonly id: string
  readonly method: "PATCH" | "POST"
  readonly path: string
  readonly summary: string
  readonly body: BodyShape<Fields>
  /** The properties to set and to remove. */
  readonly toChange: (fields: Fields) => { readonly set?: Json; readonly unset?: readonly string[] }
}

/** A row that sends an event about a person. */
const defineUpdate = <Fields>({ summary, body: shape, toChange, ...row }: UpdateRow<Fields>): RestRoute =>
  defineRoute({
    ...row,
    scope: SCOPE,
    body: "json",
    operation: UPDATE,
    variables: ({ params, body }) => ({ id: readPersonId(params.id), ...toChange(shape.read(body)) }),
    statuses: [202],
    doc: { summary, source: SOURCE, requestSchema: shape.schema },
  })

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

/** Rows that change persons. */
export const personChangeRoutes: readonly RestRoute[] = [
  defineGuarded({
    id: "persons_create",
    method: "POST",
    path: PERSONS,
    scope: SCOPE,
    reply: () => {
      throw new AppError("method_not_allowed", {
        detail:
          "Persons are not created here. Send an $identify event to a capture endpoint, and the person will be there.",
      })
    },
    statuses: [405],
    doc: { summary: "Refused: persons are created by events.", source: SOURCE, faults: [405] },
  }),
  defineRoute({
    id: "persons_bulk_delete_create",
    method: "POST",
    path: `${PERSONS}/bulk_delete`,
    scope: SCOPE,
    body: "json",
    operation: `mutation ($projectId: ID!, $ids: [ID!], $distinctIds: [String!], $deleteEvents: Boolean!, $deleteRecordings: Boolean!) {
      count: deletePersons(projectId: $projectId, ids: $ids, distinctIds: $distinctIds, deleteEvents: $deleteEvents,
        deleteRecordings: $deleteRecordings) }`,
    variables: ({ body }) => ({ deleteEvents: false, deleteRecordings: false, ...BULK_DELETION.read(body) }),
    reply: ({ count }: { count: number }) => ({ status: 202, body: { persons_deleted: count } }),
    statuses: [202],
    doc: {
      summary: "Delete up to 1,000 persons, by ids or by distinct ids.",
      source: SOURCE,
      requestSchema: BULK_DELETION.schema,
      responseSchema: toObjectSchema({ persons_deleted: INTEGER }),
    },
  }),
  defineRoute({
    id: "persons_destroy",
    method: "DELETE",
    path: ONE,
    scope: SCOPE,
    operation: `mutation ($projectId: ID!, $id: ID!, $deleteEvents: Boolean!, $deleteRecordings: Boolean!) {
      deletePerson(projectId: $projectId, id: $id, deleteEvents: $deleteEvents, deleteRecordings: $deleteRecordings) }`,
    variables: (request) => ({ ...DELETION_QUERY.read(request), id: readPersonId(request.params.id) }),
    statuses: [202],
    doc: {
      summary: "Delete a person; with `delete_events` its events too, with `delete_recordings` its recordings.",
      source: SOURCE,
      query: DELETION_QUERY.docs,
    },
  }),
  defineRoute({
    id: "persons_split_create",
    method: "POST",
    path: `${ONE}/split`,
    scope: SCOPE,
    body: "json",
    operation: `mutation ($projectId: ID!, $id: ID!, $mainDistinctId: String) {
      splitPerson(projectId: $projectId, id: $id, mainDistinctId: $mainDistinctId) { id } }`,
    variables: ({ params, body }) => ({ ...SPLIT.read(body), id: readPersonId(params.id) }),
    reply: () => ({ status: 201, body: { success: true } }),
    statuses: [201],
    doc: {
      summary: "Give every distinct id of a person but one a person of its own.",
      source: SOURCE,
      requestSchema: SPLIT.schema,
      responseSchema: toObjectSchema({ success: BOOLEAN }),
    },
  }),
  defineUpdate({
    id: "persons_partial_update",
    method: "PATCH",
    path: ONE,
    summary: "Set properties of a person, by an event.",
    body: PROPERTIES,
    toChange: ({ properties }) => ({ set: properties }),
  }),
  defineUpdate({
    id: "persons_update_property_create",
    method: "POST",
    path: `${ONE}/update_property`,
    summary: "Set one property of a person, by an event.",
    body: PROPERTY,
    toChange: ({ key, value }) => ({ set: { [key]: value } }),
  }),
  defineUpdate({
    id: "persons_delete_property_create",
    method: "POST",
    path: `${ONE}/delete_property`,
    summary: "Remove one property of a person, by an event.",
    body: UNSET,
    toChange: ({ unset }) => ({ unset: [unset] }),
  }),
]
