import type { Platform } from "../../platform/platform.types.js"
import { createChangeChannel } from "../../platform/pubsub/change-channel.js"
import type { ProjectLookup } from "./access.types.js"
import { ActivityResolver } from "./activity/activity.resolver.js"
import { createActivityReader } from "./activity/activity.store.js"
import { createAuthenticator } from "./authentication/authenticate.js"
import { createCredentialStore } from "./authentication/credential.store.js"
import { createPersonalKeyRepository } from "./keys/personal-key.repository.js"
import { PersonalKeysResolver } from "./keys/personal-keys.resolver.js"
import { createPersonalKeysService } from "./keys/personal-keys.service.js"
import { createOrganizationAccess } from "./organization-access.js"
import { createProjectAccess } from "./project-access.js"
import { createInvitationRepository } from "./users/invitation.repository.js"
import { InvitationsResolver } from "./users/invitations.resolver.js"
import { createInvitationsService } from "./users/invitations.service.js"
import { MembersResolver } from "./users/members.resolver.js"
import { OrganizationsResolver } from "./users/organizations.resolver.js"
import { createUserLoader } from "./users/user.loader.js"
import { createUserRepository } from "./users/user.repository.js"
import { UsersResolver } from "./users/users.resolver.js"
import { createUsersService } from "./users/users.service.js"

export interface AccessFeatureDependencies extends Omit<Platform, "clickHouse"> {
  /** `createProjectDirectory` of the projects feature. */
  readonly projects: ProjectLookup
}

export type AccessFeature = ReturnType<typeof createAccessFeature>

/** Wires who may do what: keys, users, organizations, and access to projects. */
export function createAccessFeature(dependencies: AccessFeatureDependencies) {
  const { database, pubSub, projects, clock, ids, logger } = dependencies
  const { records, pool } = database
  const authenticator = createAuthenticator(createCredentialStore(pool), clock, logger)
  const { authenticate, findMember } = authenticator
  const onChange = (): void => authenticator.invalidate()
  const changes = createChangeChannel<null>(pubSub, "access.changed", onChange, logger)
  const announceChange = () => changes.announce(null)
  const shared = { findMember, projects, clock, ids, announceChange }
  const userRepository = createUserRepository(records, projects, ids)
  const organizations = createOrganizationAccess({ findMember, projects }, userRepository.findFirstOrganization)
  const userLoader = createUserLoader(userRepository)
  const activity = createActivityReader(pool)
  const users = createUsersService(userRepository, organizations, shared)
  const invitations = createInvitationsService(createInvitationRepository(records, ids), organizations, shared)
  const keys = createPersonalKeysService(createPersonalKeyRepository(records, ids), shared)
  return {
    /** Looks at a request's credentials; the outcome's fields go into the RequestContext as they are. */
    authenticate,
    projectAccess: createProjectAccess({ findMember, projects }),
    /** A user's standing, at most 20 s old; null for an unknown user. */
    findMember,
    organizations,
    /** For people who accept without a key. */
    invitations: { findInvited: invitations.findInvited, join: invitations.join },
    userLoader,
    /** Reads of the audit log, for features that show what became of their things. */
    activity,
    /** Invalidates cached keys and members, here and in every other process. */
    announceChange,
    resolvers: [
      new UsersResolver(users),
      new InvitationsResolver(invitations),
      new MembersResolver(users, invitations),
      new OrganizationsResolver(users),
      new PersonalKeysResolver(keys),
      new ActivityResolver(activity, organizations, userLoader),
    ],
    /** Subscribes to changes made by other processes. */
    start: changes.start,
    /** Unsubscribes and waits for what is being written. */
    stop: async () => {
      await changes.stop()
      await authenticator.flush()
    },
  }
}
