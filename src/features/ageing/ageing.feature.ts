import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { LoaderFactory, Principal } from "../../kernel/request-context.js"
import type { Platform } from "../../platform/platform.types.js"
import type { Database } from "../../platform/postgres/database.types.js"
import type { BasicUser, OrganizationAccess } from "../access/index.js"
import type { ProjectDirectory } from "../projects/index.js"
import { createAgeingWork } from "./ageing-work.store.js"
import { createEventDeletionRepository } from "./event-deletions/event-deletion.repository.js"
import { createEventDeletionQueue } from "./event-deletions/event-deletion-queue.store.js"
import { EventDeletionsResolver } from "./event-deletions/event-deletions.resolver.js"
import { createEventDeletionsService } from "./event-deletions/event-deletions.service.js"
import {
  createEventCounter,
  createPendingEventDeletions,
  type PendingEventDeletionsDependencies,
} from "./event-deletions/pending-event-deletions.store.js"
import { createPendingProjectDeletions } from "./project-deletions/pending-project-deletions.store.js"
import { createProjectDeletionRepository } from "./project-deletions/project-deletion.repository.js"
import { ProjectDeletionsResolver } from "./project-deletions/project-deletions.resolver.js"
import { createProjectDeletionsService } from "./project-deletions/project-deletions.service.js"
import { createRetention, type RetentionDependencies } from "./retention/retention.store.js"
import { createStorageReader } from "./storage/project-storage.cache.js"
import { ProjectStorageResolver } from "./storage/project-storage.resolver.js"
import { createShareReader } from "./storage/stored-share.store.js"

export interface AgeingFeatureDependencies
  extends Pick<Platform, "clickHouse" | "clock" | "ids" | "logger">,
    Pick<PendingEventDeletionsDependencies, "sessions" | "answers">,
    Pick<RetentionDependencies, "removeSilentRecordings" | "removePluginLogsBefore"> {
  readonly database: Pick<Database, "pool" | "records" | "transaction">
  readonly directory: Pick<ProjectDirectory, "announceChange" | "findOrganizationId">
  readonly access: {
    readonly organizations: Pick<OrganizationAccess, "require">
    readonly announceChange: () => Promise<void>
  }
  readonly userLoader: LoaderFactory<UserId, BasicUser | null>
}

/** Wires what deletes data of projects: what is too old, and what was asked for. `work` runs with the role `ingest`. */
export function createAgeingFeature(dependencies: AgeingFeatureDependencies) {
  const { database, clickHouse, clock, ids, logger, directory, access, userLoader } = dependencies
  const { pool } = database
  const requireAdmin = async (principal: Principal, projectId: ProjectId): Promise<void> => {
    await access.organizations.require(principal, await directory.findOrganizationId(projectId), "admin")
  }
  const countEvents = createEventCounter(clickHouse)
  const queue = createEventDeletionQueue(pool)
  const pending = createPendingEventDeletions(dependencies, queue)
  const retention = createRetention({ ...dependencies, pool }, queue, countEvents)
  const repository = createEventDeletionRepository(database.records, ids)
  const deletions = createEventDeletionsService({ repository, countEvents, requireAdmin, clock })
  const projectDeletions = createProjectDeletionsService({
    repository: createProjectDeletionRepository(database.records, ids),
    organizations: access.organizations,
    directory,
    announceAccess: access.announceChange,
    clock,
  })
  return {
    work: createAgeingWork({
      pool,
      clock,
      logger,
      deleteProjects: createPendingProjectDeletions({ ...dependencies, pool }).applyDue,
      deleteEvents: pending.applyDue,
      sweep: retention.sweep,
    }),
    deletions,
    resolvers: [
      new EventDeletionsResolver(deletions, userLoader),
      new ProjectDeletionsResolver(projectDeletions),
      new ProjectStorageResolver(createStorageReader(createShareReader(clickHouse), clock)),
    ] as const,
  }
}
