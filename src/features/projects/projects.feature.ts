import type { Clock } from "../../kernel/clock.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { Logger } from "../../platform/logger/logger.js"
import type { Database } from "../../platform/postgres/database.types.js"
import type { PubSub } from "../../platform/pubsub/pub-sub.js"
import type { OrganizationAccess } from "../access/index.js"
import { MyProjectResolver } from "./my-project.resolver.js"
import { OrganizationProjectsResolver } from "./organization-projects.resolver.js"
import { createProjectRepository } from "./project.repository.js"
import type { SettingChecks } from "./project.rules.js"
import { createCachedProjectDirectory } from "./project-directory.cache.js"
import { ProjectsResolver } from "./projects.resolver.js"
import { createProjectsService } from "./projects.service.js"
import type { ProjectDirectory } from "./projects.types.js"

export interface ProjectDirectoryFeatureDependencies {
  readonly database: Database
  readonly pubSub: PubSub
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
}

/**
 * Makes the directory of projects. It comes first, because `access` needs it before `createProjectsFeature` can have
 * `access`.
 */
export function createProjectDirectory(dependencies: ProjectDirectoryFeatureDependencies): ProjectDirectory {
  const repository = createProjectRepository(dependencies.database, dependencies.ids)
  return createCachedProjectDirectory({ ...dependencies, repository })
}

export interface ProjectsFeatureDependencies {
  readonly database: Database
  readonly directory: ProjectDirectory
  /** `organizations` of the access feature. */
  readonly organizations: OrganizationAccess
  readonly clock: Clock
  readonly ids: Ids
  /** Checks of settings by their name, of the features that read them. */
  readonly settingChecks?: SettingChecks
}

/** Wires projects: use cases and resolvers over PostgreSQL and the directory. */
export function createProjectsFeature(dependencies: ProjectsFeatureDependencies): {
  readonly resolvers: readonly object[]
} {
  const { database, directory, organizations, ids } = dependencies
  const service = createProjectsService({ ...dependencies, repository: createProjectRepository(database, ids) })
  return {
    resolvers: [
      new ProjectsResolver(service),
      new MyProjectResolver(directory, organizations),
      new OrganizationProjectsResolver(service),
    ],
  }
}
