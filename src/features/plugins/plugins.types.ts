import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { OffsetWindow, Page } from "../../kernel/paging.js"
import type {
  PluginConfigType,
  PluginLogEntryType,
  PluginLogFilterInput,
  PluginLogInput,
  PluginLogTypeEnum,
} from "./plugins.graphql.js"

/** A plugin as one project uses it. */
export type PluginConfig = Readonly<PluginConfigType>

/** A plugin to be stored. */
export type NewPlugin = Pick<PluginConfig, "name" | "description" | "enabled" | "config">

/** An absent field stays as it is. */
export type PluginConfigChanges = Partial<Pick<PluginConfig, "enabled" | "config">>

/** One of Waymark's own plugins as a project has set it; each is on until it is switched off. */
export type BuiltInConfig = Pick<PluginConfig, "id" | "pluginId" | "enabled" | "builtIn">

/** How projects have set Waymark's own plugins, kept in memory. */
export interface BuiltInConfigs {
  /** @throws AppError store_unavailable when the project is not in memory and PostgreSQL does not answer. */
  findByProject(projectId: ProjectId): Promise<readonly BuiltInConfig[]>
  /** Makes every process read a project again. */
  announceChange(projectId: ProjectId): Promise<void>
  /** Begins to hear of changes made by other processes. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** The GeoIP plugin as ingestion sees it. */
export interface GeoIpPlugin {
  /**
   * Those of the projects that have it switched off.
   * @throws AppError store_unavailable when a project is met for the first time and PostgreSQL does not answer.
   */
  switchedOffIn(projectIds: Iterable<ProjectId>): Promise<ReadonlySet<ProjectId>>
  /** Hears of every address without a place, with the error when the look-up itself failed; says so now and then. */
  placeNotFound(projectId: ProjectId, ipAddress: string, error?: unknown): void
}

/** Plugins at rest. Every call is bounded to one project. Methods throw AppError store_unavailable when the store is away. */
export interface PluginConfigRepository {
  /** By id; Waymark's own plugins are always among them. */
  list(projectId: ProjectId, window: OffsetWindow, now: Date): Promise<Page<PluginConfig>>
  find(projectId: ProjectId, id: number): Promise<PluginConfig | null>
  /** The audit log is written with the configuration, or neither is. */
  insert(projectId: ProjectId, plugin: NewPlugin, author: UserId, now: Date): Promise<PluginConfig>
  /** As `insert`; null when the project has no such configuration. */
  update(
    projectId: ProjectId,
    id: number,
    changes: PluginConfigChanges,
    author: UserId,
    now: Date,
  ): Promise<PluginConfig | null>
  /** Waymark's own plugins; they are added to a project that does not have them yet. */
  builtIns(projectId: ProjectId, now: Date): Promise<BuiltInConfig[]>
}

/** How much an entry matters. */
export type PluginLogType = PluginLogTypeEnum

/** One thing that a plugin said (`interface.md`, "Plugin configuration log record"). */
export type PluginLogEntry = Readonly<PluginLogEntryType>

/**
 * An entry as a caller writes it: absent fields get their defaults; with ids of the caller's own, repeating a call is
 * harmless.
 */
export type PluginLogRequest = Readonly<PluginLogInput>

/** Conditions of a list; all given ones must hold. */
export type PluginLogFilter = Readonly<PluginLogFilterInput>

/** Where plugins' logs live; forgotten after 90 days. */
export interface PluginLogs {
  /** Newest first. */
  list(
    projectId: ProjectId,
    pluginConfigId: number,
    filter: PluginLogFilter,
    window: OffsetWindow,
  ): Promise<Page<PluginLogEntry>>
  /** The same token stores the entries once. */
  append(entries: readonly PluginLogEntry[], token: string, nowMs: number): Promise<void>
}
