import { AppError } from "../../../kernel/errors.js"
import { toObjectSchema } from "../../../kernel/json-schema.js"
import { asInput } from "../body-fields.js"
import { defineRoutes } from "../define-route.js"
import { defineQuery } from "../query-parameters.js"
import { ACTION } from "../resources/action.js"
import type { RestRequest, RestRoute } from "../rest-route.types.js"

const INPUT = asInput(ACTION.input)

/** @throws AppError not_found for a text that cannot be the number of an action. */
function readId({ params: { id = "" } }: RestRequest): number {
  if (/^\d{1,9}$/.test(id)) return Number(id)
  throw new AppError("not_found")
}

const { list, item, softDelete } = defineRoutes({
  path: "/api/environments/:project_id/actions",
  scope: "action",
  source: "docs/contract/management.md#actions",
})

/** Management of actions. */
export const actionRoutes: readonly RestRoute[] = [
  list({
    id: "actions_list",
    on: "GET",
    field: "actions",
    resource: ACTION,
    query: defineQuery({ search: { description: "Part of the name, any case." } }),
    summary: "List the actions that are not deleted.",
  }),
  item({
    id: "actions_create",
    on: "POST",
    body: INPUT,
    statuses: [201],
    field: "createAction",
    resource: ACTION,
    summary: "Create an action of steps, each of which describes events.",
    requestSchema: toObjectSchema(INPUT.properties, ["name"]),
  }),
  item({
    id: "actions_retrieve",
    on: "GET /:id",
    field: "action",
    resource: ACTION,
    variables: (request) => ({ id: readId(request) }),
    summary: "Get an action.",
  }),
  item({
    id: "actions_update",
    on: "PATCH /:id",
    body: INPUT,
    field: "updateAction",
    resource: ACTION,
    variables: (request) => ({ id: readId(request), ...INPUT.read(request.body) }),
    summary: "Change an action; `deleted` true deletes it softly, false restores it.",
  }),
  softDelete("actions_destroy", "DELETE /:id", "actions"),
]
