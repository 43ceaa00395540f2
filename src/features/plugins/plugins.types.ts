import type {
  LivePluginLogEntryType,
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

/** How much an entry matters. */
export type PluginLogType = PluginLogTypeEnum

/** One thing that a plugin said (`docs/contract/management.md#plugin-logs`). */
export type PluginLogEntry = Readonly<PluginLogEntryType>

/** An entry as those who watch see it. */
export type LivePluginLogEntry = Readonly<Omit<LivePluginLogEntryType, "missedBefore">>

/**
 * An entry as a caller writes it: absent fields get their defaults; with ids of the caller's own, repeating a call is
 * harmless.
 */
export type PluginLogRequest = Readonly<PluginLogInput>

/** Conditions of a list; all given ones must hold. */
export type PluginLogFilter = Readonly<PluginLogFilterInput>

/** The log of one configuration. */
export type PluginLogName = Pick<PluginLogEntry, "projectId" | "pluginConfigId">

/** Which entries of a log somebody watches; null stands for every one. */
export interface WatchedPluginLog extends PluginLogName {
  readonly types: readonly PluginLogType[] | null
  /** Part of the message, any case. */
  readonly search: string | null
}
