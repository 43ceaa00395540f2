/** Types of the operations of REST rows by the ids of the rows. Written by `npm run schema`. */

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] }
export type Incremental<T> = T | { [P in keyof T]?: P extends " $fragmentName" | "__typename" ? T[P] : never }
export type PluginLogType = "DEBUG" | "LOG" | "INFO" | "WARN" | "ERROR"
export type PluginLogFilter = {
  after?: string | null | undefined
  before?: string | null | undefined
  search?: string | null | undefined
  types?: Array<PluginLogType> | null | undefined
}

export type plugin_configs_logs_listQueryVariables = Exact<{
  filter?: PluginLogFilter | null | undefined
  first?: number | null | undefined
  after?: string | null | undefined
  last?: number | null | undefined
  before?: string | null | undefined
  offset?: number | null | undefined
  pluginConfigId: string
  projectId?: string | null | undefined
}>

export interface PluginConfigsOperations {
  plugin_configs_logs_list: { readonly variables: plugin_configs_logs_listQueryVariables; readonly data: unknown }
}
