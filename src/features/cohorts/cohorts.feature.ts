import type { UserId } from "../../kernel/ids.js"
import type { LoaderFactory } from "../../kernel/request-context.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { Database } from "../../platform/postgres/database.types.js"
import type { BasicUser } from "../access/index.js"
import { createCohortRepository } from "./cohort.repository.js"
import { createCohortMembers } from "./cohort-members.store.js"
import { CohortsResolver } from "./cohorts.resolver.js"
import { type CohortsDependencies, createCohortsService } from "./cohorts.service.js"

export interface CohortsFeatureDependencies extends Omit<CohortsDependencies, "repository" | "members"> {
  readonly database: Pick<Database, "records" | "pool">
  readonly ids: Pick<Ids, "uuidV7">
  readonly userLoader: LoaderFactory<UserId, BasicUser | null>
}

/** Wires cohorts: PostgreSQL, use cases, resolver. */
export function createCohortsFeature(dependencies: CohortsFeatureDependencies) {
  const { database, ids, userLoader } = dependencies
  const repository = createCohortRepository(database.records, ids)
  const members = createCohortMembers(database.pool)
  const service = createCohortsService({ ...dependencies, repository, members })
  return { service, resolver: new CohortsResolver(service, userLoader) }
}
