import type { Method } from "../../../kernel/direct-route.types.js"
import { defineItem, defineRefused } from "../define-route.js"
import { PERSONAL_API_KEY } from "../resources/personal-api-key.js"
import type { RestRoute } from "../rest-route.types.js"

const LIST = "/api/personal_api_keys"
const CURRENT = `${LIST}/@current`
const ONE = `${LIST}/:key_id`
const SOURCE = "docs/contract/management.md#keys"

const refused = (method: Method, path: string, id: string, what: string): RestRoute =>
  defineRefused({
    method,
    path,
    id: `personal_api_keys_${id}`,
    doc: { summary: `Refused: a key cannot ${what} keys by REST.`, source: SOURCE },
  })

/** The keys of a user: a key may look at itself and at no other. */
export const personalApiKeyRoutes: readonly RestRoute[] = [
  defineItem({
    id: "personal_api_keys_current_retrieve",
    method: "GET",
    path: CURRENT,
    scope: null,
    field: "currentPersonalApiKey",
    resource: PERSONAL_API_KEY,
    doc: { summary: "Get the key that is used; open to every valid key.", source: SOURCE },
  }),
  refused("GET", LIST, "list", "list"),
  refused("POST", LIST, "create", "create"),
  refused("GET", ONE, "retrieve", "read other"),
  refused("POST", `${ONE}/roll`, "roll", "roll"),
  ...[ONE, CURRENT].flatMap((path) => {
    const of = path === CURRENT ? "current_" : ""
    return [
      refused("PUT", path, `${of}replace`, "change"),
      refused("PATCH", path, `${of}update`, "change"),
      refused("DELETE", path, `${of}destroy`, "delete"),
    ]
  }),
]
