import { AppError } from "../../../kernel/errors.js"
import type { Json } from "../../../kernel/json.js"
import type { JsonSchema } from "../../../kernel/json-schema.js"
import { ANY_JSON, ANY_OBJECT, BOOLEAN, INTEGER, TEXT, toObjectSchema } from "../../../kernel/json-schema.js"
import { anyJson, flag, nullable, object, readFields, text, textList } from "../body-fields.js"
import { defineGuarded, defineRoute } from "../define-route.js"
import { readFlag } from "../read-query.js"
import type { RestRequest, RestRoute } from "../rest-route.types.js"
import { PERSONS, readPersonId } from "./person-query.js"

const ONE = `${PERSONS}/:id`
const SCOPE = "person:write"
const SOURCE = "docs/contract/management.md#persons"
const IDS = { type: "array", items: TEXT, maxItems: 1000 }

const UPDATE = `mutation ($projectId: ID!, $id: ID!, $set: JSON, $unset: [String!]) {
  updatePerson(projectId: $projectId, id: $id, set: $set, unset: $unset) }`

/** A row that sends an event about a person; `change` reads the properties to set and to remove from the body. */
const defineUpdate = (row: {
  readonly id: string
  readonly method: "PATCH" | "POST"
  readonly path: string
  readonly summary: string
  readonly requestSchema: JsonSchema
  readonly change: (body: Json) => { readonly set?: Json; readonly unset?: readonly string[] }
}): RestRoute =>
  defineRoute({
    id: row.id,
    method: row.method,
    path: row.path,
    scope: SCOPE,
    body: "json",
    operation: UPDATE,
    variables: ({ params, body }: RestRequest) => ({
      projectId: params.project_id,
      id: readPersonId(params.id),
      ...row.change(body),
    }),
    reply: () => ({ status: 202 }),
    statuses: [202],
    doc: { summary: row.summary, source: SOURCE, requestSchema: row.requestSchema },
  })

function required<T>(value: T | undefined, attr: string): T {
  if (value === undefined) throw new AppError("required", { attr })
  return value
}

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
    variables: ({ params, body }) => {
      const { ids, distinctIds, deleteEvents, deleteRecordings } = readFields(body, {
        ids: ["ids", nullable(textList)],
        distinct_ids: ["distinctIds", nullable(textList)],
        delete_events: ["deleteEvents", nullable(flag)],
        delete_recordings: ["deleteRecordings", nullable(flag)],
      })
      const extent = { deleteEvents: deleteEvents ?? false, deleteRecordings: deleteRecordings ?? false }
      return { projectId: params.project_id, ids, distinctIds, ...extent }
    },
    reply: ({ count }: { count: number }) => ({ status: 202, body: { persons_deleted: count } }),
    statuses: [202],
    doc: {
      summary: "Delete up to 1,000 persons, by ids or by distinct ids.",
      source: SOURCE,
      requestSchema: toObjectSchema({
        ids: IDS,
        distinct_ids: IDS,
        delete_events: BOOLEAN,
        delete_recordings: BOOLEAN,
      }),
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
    variables: ({ params, query }) => {
      const deleteEvents = readFlag(query, "delete_events") ?? false
      const deleteRecordings = readFlag(query, "delete_recordings") ?? false
      return { projectId: params.project_id, id: readPersonId(params.id), deleteEvents, deleteRecordings }
    },
    reply: () => ({ status: 202 }),
    statuses: [202],
    doc: {
      summary: "Delete a person; with `delete_events` its events too, with `delete_recordings` its recordings.",
      source: SOURCE,
      query: [
        { name: "delete_events", description: "Whether the person's events go too.", schema: BOOLEAN },
        { name: "delete_recordings", description: "Whether the person's recordings go too.", schema: BOOLEAN },
      ],
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
    variables: ({ params, body }) => {
      const { mainDistinctId } = readFields(body, { main_distinct_id: ["mainDistinctId", nullable(text)] })
      return { projectId: params.project_id, id: readPersonId(params.id), mainDistinctId }
    },
    reply: () => ({ status: 201, body: { success: true } }),
    statuses: [201],
    doc: {
      summary: "Give every distinct id of a person but one a person of its own.",
      source: SOURCE,
      requestSchema: toObjectSchema({ main_distinct_id: TEXT }),
      responseSchema: toObjectSchema({ success: BOOLEAN }),
    },
  }),
  defineUpdate({
    id: "persons_partial_update",
    method: "PATCH",
    path: ONE,
    summary: "Set properties of a person, by an event.",
    requestSchema: toObjectSchema({ properties: ANY_OBJECT }, ["properties"]),
    change: (body) => ({
      set: required(readFields(body, { properties: ["properties", object] }).properties, "properties"),
    }),
  }),
  defineUpdate({
    id: "persons_update_property_create",
    method: "POST",
    path: `${ONE}/update_property`,
    summary: "Set one property of a person, by an event.",
    requestSchema: toObjectSchema({ key: TEXT, value: ANY_JSON }, ["key", "value"]),
    change: (body) => {
      const { key, value } = readFields(body, { key: ["key", text], value: ["value", anyJson] })
      return { set: { [required(key, "key")]: required(value, "value") } }
    },
  }),
  defineUpdate({
    id: "persons_delete_property_create",
    method: "POST",
    path: `${ONE}/delete_property`,
    summary: "Remove one property of a person, by an event.",
    requestSchema: toObjectSchema({ $unset: TEXT }, ["$unset"]),
    change: (body) => ({ unset: [required(readFields(body, { $unset: ["unset", text] }).unset, "$unset")] }),
  }),
]
