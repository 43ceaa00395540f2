import { SCOPE_OBJECTS } from "../../features/access/index.js"
import type { TypedPlace } from "../../transport/graphql/shape/graph-rules.js"
import { makeEnum, makeList } from "./make-types.js"

const MEMBERS = SCOPE_OBJECTS.flatMap((object) => [
  [`${object.toUpperCase()}_READ`, [`${object}:read`, `\`${object}:read\` in REST.`]] as const,
  [
    `${object.toUpperCase()}_WRITE`,
    [`${object}:write`, `\`${object}:write\` in REST; reading is part of it.`],
  ] as const,
])
const SCOPE = makeEnum("Scope", "What a key may do.", {
  ...Object.fromEntries(MEMBERS),
  ALL: ["*", "Everything: `*` in REST."],
})

const HELD: TypedPlace = { type: makeList(SCOPE), description: "What it may do." }

/** What keys may do, which REST writes as `object:read`, `object:write` and `*`. */
export const SCOPE_PLACES: Readonly<Record<string, TypedPlace>> = {
  "IssuedPersonalApiKey.scopes": HELD,
  "Me.scopes": { type: HELD.type, description: "What the calling key may do." },
  "Mutation.createPersonalApiKey.scopes": {
    type: HELD.type,
    description: "What it may do: at least one thing, and none beyond the calling key's.",
  },
  "Mutation.inviteUser.keyScopes": { type: HELD.type },
  "PersonalApiKey.scopes": HELD,
}
