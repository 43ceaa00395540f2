import { defineRoutes } from "../define-route.js"
import { PERSONAL_API_KEY } from "../resources/personal-api-key.js"
import type { RestRoute } from "../rest-route.types.js"

const { item, refused } = defineRoutes({
  path: "/api/personal_api_keys",
  scope: "personal_api_key",
  source: "docs/contract/management.md#keys",
})

const refusedTo = (does: string, id: string, on: Parameters<typeof refused>[0]["on"]): RestRoute =>
  refused({ id: `personal_api_keys_${id}`, on, summary: `Refused: a key cannot ${does} keys by REST.` })

/** The keys of a user: a key may look at itself and at no other. */
export const personalApiKeyRoutes: readonly RestRoute[] = [
  item({
    id: "personal_api_keys_current_retrieve",
    on: "GET /@current",
    scope: null,
    field: "currentPersonalApiKey",
    resource: PERSONAL_API_KEY,
    summary: "Get the key that is used; open to every valid key.",
  }),
  refusedTo("list", "list", "GET"),
  refusedTo("create", "create", "POST"),
  refusedTo("read other", "retrieve", "GET /:key_id"),
  refusedTo("roll", "roll", "POST /:key_id/roll"),
  refusedTo("change", "replace", "PUT /:key_id"),
  refusedTo("change", "update", "PATCH /:key_id"),
  refusedTo("delete", "destroy", "DELETE /:key_id"),
  refusedTo("change", "current_replace", "PUT /@current"),
  refusedTo("change", "current_update", "PATCH /@current"),
  refusedTo("delete", "current_destroy", "DELETE /@current"),
]
