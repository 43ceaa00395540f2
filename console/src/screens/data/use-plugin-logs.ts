import { useQuery } from "urql"
import type { PastPluginLogsQuery, PluginLogsSubscription, PluginLogType } from "../../graph/generated/graphql"
import { type LiveRows, useLiveRows } from "../../graph/use-live-rows"
import { useProject } from "../../project/project"
import { PAST_PLUGIN_LOGS, PLUGIN_LOGS } from "./data.queries"

/** What a plugin said. */
export type LogEntry = Omit<NonNullable<PastPluginLogsQuery["pluginLogs"]>["nodes"][number], "id">

const toEntry = ({ pluginLogs }: PluginLogsSubscription): PluginLogsSubscription["pluginLogs"] => pluginLogs

interface PluginLogs extends Pick<LiveRows<LogEntry>, "missed" | "failure"> {
  /** The newest first. */
  readonly entries: readonly LogEntry[]
  readonly isLoading: boolean
}

/** What a plugin has said, and says from now on: what is stored is asked for while it is followed already. */
export function usePluginLogs(
  plugin: string,
  search: string | undefined,
  types: PluginLogType[] | undefined,
): PluginLogs {
  const { id: projectId } = useProject()
  const { rows, missed, failure } = useLiveRows(PLUGIN_LOGS, { projectId, plugin, search, types }, toEntry)
  const [{ data, fetching }] = useQuery({
    query: PAST_PLUGIN_LOGS,
    variables: { projectId, plugin, filter: { search, types } },
    requestPolicy: "network-only",
  })
  const known = new Set(rows.map(({ uuid }) => uuid))
  const past = (data?.pluginLogs?.nodes ?? []).filter(({ uuid }) => !known.has(uuid))
  return { entries: [...rows, ...past], missed, failure, isLoading: fetching }
}
