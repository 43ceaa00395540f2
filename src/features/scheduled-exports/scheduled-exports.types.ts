import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { ExportFormat } from "../../moving/export/manifest.js"

/** What an export writes. */
export type ExportContent = "events" | "persons" | "groups"
/** How long an interval is; it ends with a full hour or at midnight, UTC. */
export type ExportFrequency = "hourly" | "daily"

/** Where files go to: a folder of the server, or a bucket. Fields of buckets are null for a folder. */
export interface ExportTarget {
  readonly kind: "folder" | "s3"
  /** Begins the paths of files; segments with slashes between, or empty. */
  readonly prefix: string
  /** Scheme, host and port of the server that has the bucket. */
  readonly endpoint: string | null
  readonly region: string | null
  readonly bucket: string | null
  readonly accessKeyId: string | null
}

/** Files that a project has made by schedule. */
export interface ScheduledExport {
  readonly id: number
  readonly projectId: ProjectId
  readonly name: string
  readonly content: ExportContent
  readonly frequency: ExportFrequency
  readonly format: ExportFormat
  readonly target: ExportTarget
  /** The secret of the access key, encrypted; null for a folder. */
  readonly sealedSecret: string | null
  readonly isPaused: boolean
  /** What was stored before is out. */
  readonly exportedUntil: Date
  /** The last batch of events that is out. */
  readonly afterBatch: number
  /** Where somebody wants the present interval to end; null for where it ends by the clock. */
  readonly cutAt: Date | null
  /** When there is something to do next. */
  readonly dueAt: Date
  /** Null while nothing is wrong. */
  readonly failingSince: Date | null
  readonly createdAt: Date
  readonly createdById: UserId | null
  readonly updatedAt: Date
}

/** A file that was written. */
export interface ExportedFile {
  readonly name: string
  readonly rows: number
  readonly bytes: number
}

/** An interval of an export, and what became of it. */
export interface ExportRun {
  readonly id: number
  /** What was stored from the first to the second time, UTC. */
  readonly intervalFrom: Date
  readonly intervalTo: Date
  readonly status: "running" | "failed" | "completed"
  readonly files: readonly ExportedFile[]
  readonly attempts: number
  readonly error: string | null
  readonly startedAt: Date
  readonly finishedAt: Date | null
}
