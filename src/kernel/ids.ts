/** Branded ids: a project id cannot be passed where a user id is wanted. */
declare const brand: unique symbol
type Branded<T, Name extends string> = T & { readonly [brand]: Name }

/** Numeric id of a project; the public word for it is also "team" (`team_id`). */
export type ProjectId = Branded<number, "ProjectId">
/** Numeric id of a user. */
export type UserId = Branded<number, "UserId">
/** UUID text, lower case with dashes. */
export type OrganizationId = Branded<string, "OrganizationId">
/** UUID text, lower case with dashes. */
export type PersonId = Branded<string, "PersonId">

/** Marks a number that is known to be a project's id (read from the store or checked by the access guard). */
export const asProjectId = (value: number): ProjectId => value as ProjectId
/** Marks a number that is known to be a user's id. */
export const asUserId = (value: number): UserId => value as UserId
/** Marks a text that is known to be an organization's id. */
export const asOrganizationId = (value: string): OrganizationId => value as OrganizationId
/** Marks a text that is known to be a person's id. */
export const asPersonId = (value: string): PersonId => value as PersonId

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text has the shape of a UUID, any version. */
export const isUuid = (text: string): boolean => UUID_PATTERN.test(text)

/**
 * A session id as it is stored and compared, of events and recordings alike: small letters where it is a UUID, because
 * some clients write those in capitals (`docs/contract/capture.md#session-ids`).
 */
export function toComparedSessionId(sessionId: string): string {
  const lower = sessionId.toLowerCase()
  // Nearly all are in small letters already, and telling a UUID takes ten times as long as seeing that.
  return lower !== sessionId && isUuid(sessionId) ? lower : sessionId
}

/**
 * The ways in which session ids may be stored, each as it was asked for first: what is older than `toComparedSessionId` has them
 * as the client wrote them.
 */
export const storedSessionIds = (sessionIds: readonly string[]): string[] => [
  ...new Set(sessionIds.flatMap((id) => (isUuid(id) ? [id, id.toLowerCase(), id.toUpperCase()] : [id]))),
]

/** The distinct id that browser SDKs send for every visitor when they keep no cookies: it is nobody's own. */
export const COOKIELESS_DISTINCT_ID = "$posthog_cookieless"
