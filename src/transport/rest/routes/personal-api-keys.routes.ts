import type { Method } from "../../../kernel/direct-route.types.js"
import { INTEGER, NULLABLE_TIME, objectOf, TEXT, TIME } from "../../../kernel/json-schema.js"
import { defineRefused, defineRoute } from "../define-route.js"
import type { RestRoute } from "../rest-route.types.js"

const LIST = "/api/personal_api_keys"
const CURRENT = `${LIST}/@current`
const ONE = `${LIST}/:key_id`
const SOURCE = "reference/management.md 1.2, 2"

interface KeyData {
  readonly id: string
  readonly userId: number
  readonly label: string
  readonly maskedValue: string
  readonly scopes: readonly string[]
  readonly projectIds: readonly number[] | null
  readonly organizationIds: readonly string[] | null
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly lastRolledAt: string | null
}

/** No restriction is an empty list. */
const toWireKey = (key: KeyData) => ({
  id: key.id,
  label: key.label,
  mask_value: key.maskedValue,
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt,
  last_rolled_at: key.lastRolledAt,
  user_id: key.userId,
  scopes: key.scopes,
  scoped_teams: key.projectIds ?? [],
  scoped_organizations: key.organizationIds ?? [],
})

const KEY = objectOf({
  ...{ id: TEXT, label: TEXT, mask_value: TEXT },
  ...{ created_at: TIME, last_used_at: NULLABLE_TIME, last_rolled_at: NULLABLE_TIME, user_id: INTEGER },
  scopes: { type: "array", items: TEXT },
  scoped_teams: { type: "array", items: INTEGER },
  scoped_organizations: { type: "array", items: TEXT },
})

const refused = (method: Method, path: string, id: string, what: string): RestRoute =>
  defineRefused({
    method,
    path,
    id: `personal_api_keys_${id}`,
    doc: { summary: `Refused: a key cannot ${what} keys by REST.`, source: SOURCE },
  })

/** The keys of a user: a key may look at itself and at no other. */
export const personalApiKeyRoutes: readonly RestRoute[] = [
  defineRoute({
    id: "personal_api_keys_current_retrieve",
    method: "GET",
    path: CURRENT,
    scope: null,
    body: "none",
    operation: `query { key: currentPersonalApiKey { id userId label maskedValue scopes projectIds organizationIds
      createdAt lastUsedAt lastRolledAt } }`,
    variables: () => ({}),
    reply: ({ key }: { key: KeyData }) => ({ status: 200, body: toWireKey(key) }),
    statuses: [200],
    doc: { summary: "Get the key that is used; open to every valid key.", source: SOURCE, responseSchema: KEY },
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
