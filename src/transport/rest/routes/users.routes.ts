import { defineRoute } from "../define-route.js"
import type { RestRoute } from "../rest-route.types.js"
import { USER } from "../schemas.js"
import { toWireUser, USER_FIELDS, type UserData } from "../user.wire.js"

interface MeData extends UserData {
  readonly createdAt: string
  readonly currentProjectId: number | null
}

/** SDK tooling calls this to test a key (`reference/management.md` 1.6). */
export const userRoutes: readonly RestRoute[] = [
  defineRoute({
    id: "users_me_retrieve",
    method: "GET",
    path: "/api/users/@me",
    scope: "user:read",
    body: "none",
    operation: `query { me { ${USER_FIELDS} createdAt currentProjectId } }`,
    variables: () => ({}),
    reply: ({ me }: { me: MeData }) => ({
      status: 200,
      body: {
        ...toWireUser(me),
        date_joined: me.createdAt,
        team: me.currentProjectId === null ? null : { id: me.currentProjectId },
      },
    }),
    statuses: [200],
    doc: { summary: "Get the user whose key is used.", source: "reference/management.md 1.6", responseSchema: USER },
  }),
]
