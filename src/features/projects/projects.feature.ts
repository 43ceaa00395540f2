import type { ProjectId } from "../../kernel/ids.js"
import type { Principal } from "../../kernel/request-context.js"
import type { Platform } from "../../platform/platform.types.js"
import type { AccessFeature } from "../access/index.js"
import { MyProjectResolver } from "./my-project.resolver.js"
import { OrganizationProjectsResolver } from "./organization-projects.resolver.js"
import { createProjectRepository, type SeedProject } from "./project.repository.js"
import type { SettingChecks } from "./project.rules.js"
import { createCachedProjectDirectory, type ProjectDirectory, type WrongKeyBudget } from "./project-directory.cache.js"
import { createProjectLookupStore } from "./project-lookup.store.js"
import { ProjectsResolver } from "./projects.resolver.js"
import { createProjectsService } from "./projects.service.js"
import type { RefusedKeys } from "./refused-keys.cache.js"
import { RefusedKeysResolver } from "./refused-keys.resolver.js"
import { createProjectSecretRepository } from "./secrets/project-secret.repository.js"
import { ProjectSecretsResolver } from "./secrets/project-secrets.resolver.js"
import { createProjectSecretsService } from "./secrets/project-secrets.service.js"

/**
 * Makes the directory of projects. It comes first, because `access` needs it before `createProjectsFeature` can have
 * `access`.
 */
export const createProjectDirectory = (
  { database, ...platform }: Omit<Platform, "clickHouse" | "ids">,
  wrongKeys: WrongKeyBudget,
  refusedKeys: RefusedKeys | null = null,
): ProjectDirectory =>
  createCachedProjectDirectory(createProjectLookupStore(database.pool), wrongKeys, platform, refusedKeys)

export interface ProjectsFeatureDependencies extends Pick<Platform, "database" | "clock" | "ids"> {
  readonly directory: ProjectDirectory
  readonly access: Pick<AccessFeature, "organizations" | "announceChange">
  readonly refusedKeys: RefusedKeys
  /** Checks of settings by their name, of the features that read them. */
  readonly settingChecks?: SettingChecks
  /** What else a new project is given; nothing when absent. */
  readonly seed?: SeedProject
}

/** Wires projects: use cases and resolvers over PostgreSQL and the directory. */
export function createProjectsFeature(dependencies: ProjectsFeatureDependencies) {
  const { database, directory, access, clock, ids, refusedKeys, settingChecks, seed } = dependencies
  const { organizations, announceChange } = access
  const requireAdmin = async (principal: Principal, projectId: ProjectId): Promise<void> => {
    await organizations.require(principal, await directory.findOrganizationId(projectId), "admin")
  }
  const shared = { organizations, directory, requireAdmin, clock, ids }
  const repository = createProjectRepository(database.records, ids, seed)
  const service = createProjectsService(repository, createProjectLookupStore(database.pool), shared, settingChecks)
  const secretRepository = createProjectSecretRepository(database.records, ids)
  const secrets = createProjectSecretsService(secretRepository, shared, announceChange)
  return {
    resolvers: [
      new ProjectsResolver(service),
      new MyProjectResolver(directory, organizations),
      new OrganizationProjectsResolver(service),
      new RefusedKeysResolver(refusedKeys, organizations),
      new ProjectSecretsResolver(secrets),
    ],
  }
}
