import { ExportRunsResolver } from "./manage/export-runs.resolver.js"
import { ExportRunEntity, ScheduledExportEntity } from "./manage/scheduled-export.entity.js"
import { ScheduledExportsResolver } from "./manage/scheduled-exports.resolver.js"

export { reencryptSecrets } from "./manage/reencrypt-secrets.repository.js"
export { createScheduledExportsFeature } from "./scheduled-exports.feature.js"

/** What `openDatabase` must know of this feature. */
export const scheduledExportEntities = [ScheduledExportEntity, ExportRunEntity]

/** Every resolver class of this feature. */
export const scheduledExportResolverClasses = [ScheduledExportsResolver, ExportRunsResolver] as const
