import { defineEntity, p } from "@mikro-orm/core"
import type { ExportFormat } from "../../../moving/export/manifest.js"
import { UserEntity } from "../../access/index.js"
import { ProjectEntity } from "../../projects/index.js"
import type {
  ExportContent,
  ExportedFile,
  ExportFrequency,
  ExportRun,
  ExportTarget,
} from "../scheduled-exports.types.js"

const ScheduledExportSchema = defineEntity({
  name: "ScheduledExport",
  tableName: "scheduled_export",
  properties: {
    id: p.integer().primary().autoincrement(),
    projectId: () => p.manyToOne(ProjectEntity).mapToPk().fieldName("project_id"),
    name: p.text(),
    content: p.text().$type<ExportContent>(),
    frequency: p.text().$type<ExportFrequency>(),
    format: p.text().$type<ExportFormat>(),
    target: p.json<ExportTarget>(),
    sealedSecret: p.text().strictNullable(),
    isPaused: p.boolean(),
    exportedUntil: p.datetime(),
    afterBatch: p.bigint("number"),
    cutAt: p.datetime().strictNullable(),
    dueAt: p.datetime(),
    failingSince: p.datetime().strictNullable(),
    createdAt: p.datetime(),
    createdById: () => p.manyToOne(UserEntity).mapToPk().fieldName("created_by_id").strictNullable(),
    updatedAt: p.datetime(),
  },
})
/** A row of `scheduled_export`. */
export class ScheduledExportEntity extends ScheduledExportSchema.class {}
ScheduledExportSchema.setClass(ScheduledExportEntity)

const ExportRunSchema = defineEntity({
  name: "ScheduledExportRun",
  tableName: "scheduled_export_run",
  properties: {
    id: p.bigint("number").primary().autoincrement(),
    export: () => p.manyToOne(ScheduledExportEntity),
    intervalFrom: p.datetime(),
    intervalTo: p.datetime(),
    status: p.text().$type<ExportRun["status"]>(),
    files: p.json<readonly ExportedFile[]>(),
    attempts: p.integer(),
    error: p.text().strictNullable(),
    startedAt: p.datetime(),
    finishedAt: p.datetime().strictNullable(),
  },
})
/** A row of `scheduled_export_run`, as far as its readers know it. */
export class ExportRunEntity extends ExportRunSchema.class {}
ExportRunSchema.setClass(ExportRunEntity)
