import type { Json } from "../../../kernel/json.js"
import { ANY_OBJECT, objectOf, TEXT, TIME } from "../../../kernel/json-schema.js"
import { toEnvelope } from "../paging-links.js"
import { readWindow } from "../read-query.js"
import type { RestRequest } from "../rest-route.types.js"
import { envelopeOf, NULLABLE_USER } from "../schemas.js"
import { toWireUser, USER_FIELDS, type UserData } from "../user.wire.js"

/** A page of what became of one thing. */
export interface ActivityPage {
  readonly totalCount: number
  readonly nodes: readonly {
    readonly activity: string
    readonly changes: Json
    readonly createdAt: string
    readonly user: UserData | null
  }[]
}

/** GraphQL fields of a page of entries. */
export const ACTIVITY_PAGE_FIELDS = `totalCount nodes { activity changes createdAt user { ${USER_FIELDS} } }`

/** The entries as a list of `scope`, the kind of the thing, and its id (`reference/management.md` 3, `reference/flags.md` 8). */
export const toActivityEnvelope = (
  request: RestRequest,
  { totalCount, nodes }: ActivityPage,
  scope: string,
  itemId: string | undefined,
) =>
  toEnvelope(
    request,
    readWindow(request.query),
    totalCount,
    nodes.map(({ activity, changes, createdAt, user }) => ({
      activity,
      scope,
      item_id: itemId,
      detail: { changes },
      created_at: createdAt,
      user: toWireUser(user),
    })),
  )

/** JSON Schema of a list of entries. */
export const ACTIVITIES = envelopeOf(
  objectOf({ activity: TEXT, scope: TEXT, item_id: TEXT, detail: ANY_OBJECT, created_at: TIME, user: NULLABLE_USER }),
)
