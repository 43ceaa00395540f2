export { accessEntities, MembershipEntity, OrganizationEntity, UserEntity } from "./access.entity.js"
export { type AccessFeature, createAccessFeature } from "./access.feature.js"
export type { KeyLookUps, Member, OrganizationRole } from "./access.types.js"
export { type Activity, ActivityConnection } from "./activity/activity.graphql.js"
export { ActivityResolver } from "./activity/activity.resolver.js"
export type { ActivityReader } from "./activity/activity.store.js"
export type { Authentication } from "./authentication/authenticate.js"
export { requireCaller } from "./authentication/caller.js"
export { REVOCABLE } from "./authentication/credential.cache.js"
export { createLastUseRecorder } from "./authentication/last-use.js"
export {
  createSecret,
  hashSecret,
  PERSONAL_KEY_PREFIX,
  PROJECT_SECRET_PREFIX,
} from "./keys/key-secret.js"
export type { StoredSecret } from "./keys/personal-key.types.js"
export { PersonalKeysResolver } from "./keys/personal-keys.resolver.js"
export type { OrganizationAccess } from "./organization-access.js"
export {
  findOwner,
  provisionCurrentProject,
  provisionOwner,
  provisionPersonalKey,
} from "./provision.repository.js"
export {
  type AuditedFields,
  type Author,
  listChanges,
  recordActivity,
  recordProjectActivity,
  redactActivity,
} from "./record-activity.repository.js"
export { type OperationDemand, PrincipalScope, ProjectScope } from "./scope.decorators.js"
export { grants, isKnownScope, SCOPE_OBJECTS } from "./scopes.js"
export { InvitationsResolver } from "./users/invitations.resolver.js"
export { MeType, OrganizationType } from "./users/me.graphql.js"
export { MembersResolver } from "./users/members.resolver.js"
export { OrganizationsResolver } from "./users/organizations.resolver.js"
export { type BasicUser, BasicUserType } from "./users/user.graphql.js"
export { addUser } from "./users/user.repository.js"
export { checkEmail } from "./users/user.rules.js"
export { UsersResolver } from "./users/users.resolver.js"
