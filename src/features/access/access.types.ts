import type { OrganizationId, ProjectId, UserId } from "../../kernel/ids.js"
import type { Principal } from "../../kernel/request-context.js"
import type { Platform } from "../../platform/platform.types.js"

/** What somebody may do in an organization: owners and admins change it, members use it, viewers read. */
export type OrganizationRole = "owner" | "admin" | "member" | "viewer"

/** Where a personal key was found in a request, in the words of the error text. */
export type CredentialSource = "Authorization header" | "body" | "query string"

/** The places of a request that may carry a personal key, looked at in this order. */
export interface CredentialSources {
  /** Value of the `Authorization` header. */
  readonly authorization?: string | undefined
  /** Parsed JSON body; a text under `personal_api_key` counts. */
  readonly body?: unknown
  /** Value of the query parameter `personal_api_key`. */
  readonly queryParameter?: string | undefined
}

/** Bounds how many keys are looked up that turn out to be wrong (`docs/contract/management.md#rate-limits`). */
export interface KeyLookUps {
  /** Called before a key is looked up that this process has not seen valid. @throws AppError rate_limited. */
  admit(): void
  /** Called when it was wrong. @throws AppError rate_limited. */
  noteWrong(): void
}

/** A personal key as the guard needs it, found by the hash of one of its secrets. */
export interface KeyGrant extends Principal {
  /** The stored `sha256$…` of the secret that was presented. */
  readonly hash: string
  /** Milliseconds since the epoch after which this secret is refused; null for a secret that does not expire. */
  readonly expiresAtMs: number | null
  readonly lastUsedAtMs: number | null
}

/** A user's standing: what authorization needs and nothing else. */
export interface Member {
  readonly userId: UserId
  readonly isActive: boolean
  readonly currentProjectId: ProjectId | null
  readonly roles: ReadonlyMap<OrganizationId, OrganizationRole>
  /** Names of the organizations that let this user in, but no personal key of theirs. */
  readonly closedToKeys: ReadonlyMap<OrganizationId, string>
}

/** What checks of a caller ask for. */
export interface AccessLookups {
  readonly findMember: (userId: UserId) => Promise<Member | null>
  readonly projects: ProjectLookup
}

/** What use cases on keys, users and organizations need beside their records. */
export interface AccessDependencies extends AccessLookups, Pick<Platform, "clock" | "ids"> {
  /** Announces to every process that keys, users or memberships have changed. */
  readonly announceChange: () => Promise<void>
}

/** What the guard must know of projects; implemented by the projects feature. */
export interface ProjectLookup {
  /** The organization that owns a project; null when there is no such project. */
  findOrganizationId(projectId: ProjectId): Promise<OrganizationId | null>
  /**
   * The organization that owns a project when it is one of `ownIds`. Null for a project of another one and for one that there
   * is not, both after one read of the store, so that not even the time tells them apart.
   */
  findOwnOrganizationId(
    projectId: ProjectId,
    ownIds: Pick<ReadonlySet<OrganizationId>, "has">,
  ): Promise<OrganizationId | null>
  /** The oldest project of these organizations; null when they have none. */
  findFirstProjectId(organizationIds: readonly OrganizationId[]): Promise<ProjectId | null>
  /** The project of a public key; null for a key nobody has. */
  findByKey(token: string): Promise<{ readonly id: ProjectId } | null>
}
