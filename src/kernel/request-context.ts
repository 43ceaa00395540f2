import type DataLoader from "dataloader"
import type { OrganizationId, ProjectId, UserId } from "./ids.js"

/** Who calls, as proven by a personal API key or a browser session. Project keys never become a principal. */
export interface Principal {
  readonly userId: UserId
  /** Of the key, or of the session; what requests are counted by. */
  readonly keyId: string
  /** Of the browser session, which has all rights of its user and is no key; null or absent for a key. */
  readonly sessionId?: string | null
  /** `object:read`, `object:write` or `*`. */
  readonly scopes: readonly string[]
  /** Projects the key is bound to; null means every project of the user. */
  readonly projectIds: readonly ProjectId[] | null
  /** Organizations the key is bound to; null means every organization of the user. */
  readonly organizationIds: readonly OrganizationId[] | null
}

/** Kinds of keys, known by how they begin: `phx_`, `phs_`, `phc_`; and what a browser has instead of one. */
export type CredentialKind = "personal key" | "project secret key" | "project key" | "browser session"

/** What is left of the window of requests that will refuse its caller first. */
export interface RequestAllowance {
  readonly limit: number
  readonly remaining: number
  /** When the window starts over, in ISO 8601. */
  readonly resetAt: string
}

/** Makes the DataLoader of one kind of record; called at most once per request. */
export type LoaderFactory<Key, Value> = () => DataLoader<Key, Value>

/**
 * What one request carries through operations and use cases. For a subscription a fresh context is made for every
 * event, so loaders never go stale.
 */
export interface RequestContext {
  readonly requestId: string
  /** Empty for the events of a subscription: equal subscribers share what an event comes to. */
  readonly clientIp: string
  /** The address that limits count by: the caller cannot choose it. */
  readonly senderIp: string
  /** Scheme, host and port for absolute links, never taken from hostile headers when PUBLIC_URL is set. */
  readonly baseUrl: string
  readonly principal: Principal | null
  /** Why there is no principal: no credential at all, or one that is not valid. Null when there is one. */
  readonly authenticationFault: "absent" | "invalid" | null
  /** Where the credential was found, for the error text: "Authorization header", "body" or "query string". */
  readonly credentialSource?: string | null
  /** Seconds until the key may ask again when it has asked too often; null or absent while it may. */
  readonly throttledForSeconds?: number | null
  /** What is left of the caller's requests; null or absent where they are not counted. */
  readonly rateLimit?: RequestAllowance | null
  /** What the credential claims to be, for the error text. */
  readonly credentialKind?: CredentialKind | null
  /** Project of the secret key (`phs_`) that the caller has proven; opens only operations that say so. */
  readonly secretProjectId?: ProjectId | null
  /**
   * Calls `release` once the answer has left, or nobody waits for it any more: for what is held until then. Absent on sockets and
   * for events, which have no answer of their own.
   */
  readonly onAnswered?: (release: () => void) => void
  /** Cursor of what the client of a stream received last; it takes the place of `since`. Null or absent elsewhere. */
  readonly resumesAfter?: string | null
  /** The loader of this request for a factory; the same factory always gives the same loader within a request. */
  loader<Key, Value>(factory: LoaderFactory<Key, Value>): DataLoader<Key, Value>
  /** The app's instance of a resolver class, for subscription sources, which type-graphql calls without an instance. */
  findResolver<T>(resolverClass: new (...dependencies: never[]) => T): T
  /** The only door to a project: resolves `@current`, checks key, binding, membership and scope (`features/access`). */
  readonly access: ProjectAccess
}

/**
 * Checks in the order of `docs/contract/management.md#order-of-checks`; each failure is an AppError 401, 403 or 404.
 */
export interface ProjectAccess {
  /** `rawProjectId` is a number as text, a project key or `@current`. Returns the project's id once everything is permitted. */
  requireProject(context: RequestContext, rawProjectId: string, scope: string, rule?: ProjectRule): Promise<ProjectId>
  /**
   * For operations on one organization. `rawOrganizationId` is its UUID or `@current`, which stands for the one of the caller's
   * current project. Returns its id once everything is permitted.
   */
  requireOrganization(context: RequestContext, rawOrganizationId: string, scope: string): Promise<OrganizationId>
  /**
   * For operations outside any project (`/api/projects/`, `/api/users/@me/`). A scope of null opens to every valid key.
   * Returns the caller.
   */
  requirePrincipal(context: RequestContext, scope: string | null, rule?: PrincipalRule): Promise<Principal>
  /** For actions that are never a key's: AppError 401 without a valid one, 403 with one, whatever its scopes. */
  refuseKeys(context: RequestContext): never
}

/** Exceptions for an operation on a project. */
export interface ProjectRule {
  /** Lets in the secret keys of a project, for what SDKs fetch. */
  readonly openToSecretKeys?: boolean
  /** Lets in viewers although it changes something, for what they note for themselves alone. */
  readonly openToViewers?: boolean
}

/** Exceptions for an operation outside projects. */
export interface PrincipalRule {
  /** Lets in keys that are bound to projects; only for what concerns the caller alone (`me`). */
  readonly openToBoundKeys?: boolean
}
