import type { UserId } from "../../kernel/ids.js"
import type { LoaderFactory } from "../../kernel/request-context.js"
import type { Platform } from "../../platform/platform.types.js"
import type { Database } from "../../platform/postgres/database.types.js"
import type { BasicUser } from "../access/index.js"
import { ExportRunsResolver } from "./manage/export-runs.resolver.js"
import { createScheduledExportRepository } from "./manage/scheduled-export.repository.js"
import { ScheduledExportsResolver } from "./manage/scheduled-exports.resolver.js"
import { createScheduledExports } from "./manage/scheduled-exports.service.js"
import { createExportRunStore } from "./runs/export-runs.store.js"
import { createExportedFiles } from "./runs/exported-files.store.js"
import { createFailingExportCounter } from "./runs/failing-exports.store.js"
import { createExportWork } from "./runs/work-on-exports.js"
import { createRunWriter, type RunWriterDependencies } from "./runs/write-run.js"
import { createTargetOpener, type TargetOpenerDependencies } from "./targets/open-target.store.js"

export interface ScheduledExportsFeatureDependencies
  extends Pick<Platform, "clickHouse" | "clock" | "ids" | "logger">,
    Pick<TargetOpenerDependencies, "exportDirectory" | "cipher">,
    Pick<RunWriterDependencies, "batches"> {
  readonly database: Pick<Database, "pool" | "records">
  /** Folder in which a file for a bucket lies while it is measured. */
  readonly spoolFolder: string
  readonly allowsPrivateAddresses: boolean
  readonly userLoader: LoaderFactory<UserId, BasicUser | null>
}

/** Wires exports by schedule. `work` runs with the role `query`: it reads, as queries do. */
export function createScheduledExportsFeature(dependencies: ScheduledExportsFeatureDependencies) {
  const { database, clickHouse, clock, ids, logger, batches, userLoader } = dependencies
  const { exportDirectory, cipher, spoolFolder, allowsPrivateAddresses } = dependencies
  const s3 = { spoolFolder, allowsPrivateAddresses, clock, newId: () => ids.uuidV4() }
  const targets = createTargetOpener({ exportDirectory, cipher, s3 })
  const repository = createScheduledExportRepository(database.records, ids)
  const findLastBatch = batches.findLast
  const service = createScheduledExports({ repository, targets, findLastBatch, allowsPrivateAddresses, clock })
  const store = createExportRunStore(database.pool)
  const writer = createRunWriter({ store, files: createExportedFiles(clickHouse), targets, batches, clock })
  return {
    service,
    work: createExportWork({ store, writer, clock, logger }),
    countFailing: createFailingExportCounter(database.pool),
    resolvers: [new ScheduledExportsResolver(service, userLoader), new ExportRunsResolver(service)] as const,
  }
}
