import { TIME, toObjectSchema } from "../../../kernel/json-schema.js"
import { type DataOf, defineRoutes } from "../define-route.js"
import { ORGANIZATION } from "../resources/organization.js"
import { PROJECT } from "../resources/project.js"
import { nested, nestedList } from "../resources/resource.js"
import { USER } from "../resources/user.js"
import type { RestRoute } from "../rest-route.types.js"

/**
 * Fields of a user that clients read and that have no counterpart here (`docs/contract/management.md#current-user`).
 */
const NOT_HERE = {
  pending_email: null,
  notification_settings: {},
  anonymize_data: false,
  toolbar_mode: "toolbar",
  has_password: false,
  is_staff: false,
  is_impersonated: false,
  is_impersonated_until: null,
  sensitive_session_expires_at: null,
  events_column_config: { active: "DEFAULT" },
  is_2fa_enabled: false,
  has_social_auth: false,
  has_sso_enforcement: false,
  has_seen_product_intro_for: {},
  scene_personalisation: [],
  theme_mode: null,
}

function toWireMe(me: DataOf<"users_me_retrieve">["me"]) {
  const { currentProject } = me
  const organizations = me.organizations.map(ORGANIZATION.show)
  return {
    ...USER.show(me),
    date_joined: me.createdAt,
    ...NOT_HERE,
    team: currentProject === null ? null : PROJECT.show(currentProject),
    organization: organizations.find(({ id }) => id === currentProject?.organizationId) ?? null,
    organizations,
  }
}

const { route } = defineRoutes({
  path: "/api/users",
  scope: "user",
  source: "docs/contract/management.md#current-user",
})

/** SDK tooling calls this to test a key (`docs/contract/management.md#current-user`). */
export const userRoutes: readonly RestRoute[] = [
  route({
    id: "users_me_retrieve",
    on: "GET /@me",
    operation: `{ me { ${USER.selection} createdAt currentProject { ${PROJECT.selection} }
      organizations { ${ORGANIZATION.selection} } } }`,
    reply: ({ me }) => ({ status: 200, body: toWireMe(me) }),
    summary: "Get the user whose key is used.",
    responseSchema: toObjectSchema({
      ...USER.schema.properties,
      date_joined: TIME,
      team: nested(PROJECT).schema,
      organization: nested(ORGANIZATION).schema,
      organizations: nestedList(ORGANIZATION).schema,
    }),
  }),
]
