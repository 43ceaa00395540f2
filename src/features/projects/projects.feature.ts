import type { Clock } from "../../kernel/clock.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { Logger } from "../../platform/logger/logger.js"
import type { Database } from "../../platform/postgres/database.types.js"
import type { PubSub } from "../../platform/pubsub/pub-sub.js"
import type { AccessFeature } from "../access/index.js"
import { MyProjectResolver } from "./my-project.resolver.js"
import { OrganizationProjectsResolver } from "./organization-projects.resolver.js"
import { createProjectRepository } from "./project.repository.js"
import type { SettingChecks } from "./project.rules.js"
import type { ProjectDirectory } from "./project-directory.cache.js"
import { createCachedProjectDirectory } from "./project-directory.cache.js"
import { createProjectLookupStore } from "./project-lookup.store.js"
import { ProjectsResolver } from "./projects.resolver.js"
import { createProjectsService } from "./projects.service.js"
import { createProjectSecretRepository } from "./secrets/project-secret.repository.js"
import { ProjectSecretsResolver } from "./secrets/project-secrets.resolver.js"
import { createProjectSecretsService } from "./secrets/project-secrets.service.js"

export interface ProjectDirectoryFeatureDependencies {
  readonly database: Database
  readonly pubSub: PubSub
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Makes the directory of projects. It comes first, because `access` needs it before `createProjectsFeature` can have
 * `access`.
 */
export function createProjectDirectory(dependencies: ProjectDirectoryFeatureDependencies): ProjectDirectory {
  return createCachedProjectDirectory({ ...dependencies, store: createProjectLookupStore(dependencies.database.pool) })
}

export interface ProjectsFeatureDependencies {
  readonly database: Database
  readonly directory: ProjectDirectory
  readonly access: Pick<AccessFeature, "organizations" | "announceChange">
  readonly clock: Clock
  readonly ids: Ids
  /** Checks of settings by their name, of the features that read them. */
  readonly settingChecks?: SettingChecks
}

/** Wires projects: use cases and resolvers over PostgreSQL and the directory. */
export function createProjectsFeature(dependencies: ProjectsFeatureDependencies) {
  const { database, directory, access, clock, ids, settingChecks } = dependencies
  const { organizations, announceChange } = access
  const shared = { organizations, directory, clock, ids }
  const service = createProjectsService({
    ...shared,
    settingChecks,
    repository: createProjectRepository(database.records, ids),
    lookups: createProjectLookupStore(database.pool),
  })
  const secretRepository = createProjectSecretRepository(database.records, ids)
  const secrets = createProjectSecretsService({ ...shared, repository: secretRepository, announceChange })
  return {
    resolvers: [
      new ProjectsResolver(service),
      new MyProjectResolver(directory, organizations),
      new OrganizationProjectsResolver(service),
      new ProjectSecretsResolver(secrets),
    ],
  }
}
