import type { Clock } from "../../kernel/clock.js"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { LoaderFactory } from "../../kernel/request-context.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { Database } from "../../platform/postgres/database.types.js"
import type { BasicUser } from "../access/index.js"
import type { CheckLeaf } from "./check-cohort-filters.js"
import { CohortsResolver } from "./cohorts.resolver.js"
import { type CohortsService, createCohortsService } from "./cohorts.service.js"
import type { Cohort } from "./cohorts.types.js"
import { createPostgresCohortRepository } from "./postgres-cohort.repository.js"

export interface CohortsFeatureDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Pick<Ids, "uuidV7">
  readonly userLoader: LoaderFactory<UserId, BasicUser | null>
  /** Checks a leaf's operator and value as flags understand them. @throws AppError invalid_input. */
  readonly checkLeaf: CheckLeaf
  /** Told after every committed change: flags have to see it. */
  readonly changed: (projectId: ProjectId) => Promise<void>
  /** Keys of the flags that ask for a cohort, directly or through another one. */
  readonly flagsAskingFor: (projectId: ProjectId, cohortId: number) => Promise<readonly string[]>
  /** Told after members changed: queries have to see it. */
  readonly membersChanged?: (() => Promise<void>) | undefined
}

export interface CohortsFeature {
  readonly resolvers: readonly object[]
  /** Every cohort of a project that is not deleted. */
  readonly cohortsOf: (projectId: ProjectId) => Promise<readonly Cohort[]>
  readonly service: CohortsService
}

/** Wires cohorts: PostgreSQL repository, use cases, resolver. */
export function createCohortsFeature(dependencies: CohortsFeatureDependencies): CohortsFeature {
  const repository = createPostgresCohortRepository(dependencies.database, dependencies.ids)
  const service = createCohortsService({ ...dependencies, repository })
  const resolver = new CohortsResolver(service, dependencies.userLoader)
  return { resolvers: [resolver], cohortsOf: (projectId) => repository.all(projectId), service }
}
