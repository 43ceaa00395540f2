export { accessEntities } from "./access.entity.js"
export { type AccessFeature, type AccessFeatureDependencies, createAccessFeature } from "./access.feature.js"
export type { BasicUser, CredentialSources, OrganizationRole, ProjectLookup } from "./access.types.js"
export { type Activity, recordActivity } from "./activity.log.js"
export { ActivityResolver } from "./activity.resolver.js"
export type { Authentication } from "./authenticate.js"
export { callerOf } from "./caller.js"
export { isPersonalKeyText, PERSONAL_KEY_PREFIX } from "./key-secret.js"
export { MeType, OrganizationType } from "./me.graphql.js"
export { type OperationScope, scopesByOperation } from "./operation-scopes.js"
export type { OrganizationAccess } from "./organization-access.js"
export { OrganizationsResolver } from "./organizations.resolver.js"
export { PersonalKeysResolver } from "./personal-keys.resolver.js"
export { ProjectSecretsResolver } from "./project-secrets.resolver.js"
export {
  findOwner,
  type Owner,
  provisionCurrentProject,
  provisionOwner,
  provisionPersonalKey,
} from "./provision.repository.js"
export { AnyKey, OrganizationScope, PrincipalScope, ProjectScope } from "./scope.decorators.js"
export { grants, isKnownScope, SCOPE_OBJECTS } from "./scopes.js"
export { BasicUserType } from "./user.graphql.js"
export { UsersResolver } from "./users.resolver.js"
