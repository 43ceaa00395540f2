import { Alert, Badge, Group, NativeSelect, Stack, Text } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useQuery } from "urql"
import type { PluginLogType, PluginsQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Answer, Lines } from "../../ui/answer"
import { type Column, DataTable } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { Failure } from "../../ui/failure"
import { SearchField } from "../../ui/search-field"
import { Time } from "../../ui/time"
import { PLUGINS } from "./data.queries"
import { type DataSearch, readDataSearch } from "./data-search"
import { type LogEntry, usePluginLogs } from "./use-plugin-logs"

type Plugin = NonNullable<PluginsQuery["pluginConfigs"]>["nodes"][number]

const FROM = "/project/$project/data"

const LEVELS = [
  { value: "all", label: "Everything" },
  { value: "warnings", label: "Warnings and errors" },
  { value: "errors", label: "Errors" },
]
const TYPES: Readonly<Record<NonNullable<DataSearch["level"]>, PluginLogType[] | undefined>> = {
  all: undefined,
  warnings: ["WARN", "ERROR"],
  errors: ["ERROR"],
}
const COLORS: Readonly<Record<PluginLogType, string>> = {
  DEBUG: "gray",
  LOG: "gray",
  INFO: "blue",
  WARN: "yellow",
  ERROR: "red",
}

const COLUMNS: readonly Column<LogEntry>[] = [
  { title: "Time", cell: ({ timestamp }) => <Time of={timestamp} /> },
  {
    title: "Type",
    cell: ({ type }) => (
      <Badge variant="light" tt="none" miw="max-content" color={COLORS[type]}>
        {type.toLowerCase()}
      </Badge>
    ),
  },
  { title: "Said by", cell: ({ source }) => (source === "SYSTEM" ? "Waymark" : "the plugin") },
  { title: "Message", cell: ({ message }) => <span className="value">{message}</span> },
]

/** The plugins of the project, and what one of them says, live. */
export function Plugins() {
  const { id: projectId } = useProject()
  const { plugin } = useSearch({ from: FROM })
  const answer = useQuery({ query: PLUGINS, variables: { projectId } })
  return (
    <Answer of={answer}>
      {({ pluginConfigs }) => {
        const plugins = pluginConfigs?.nodes ?? []
        const shown = plugins.find(({ number }) => String(number) === plugin) ?? plugins[0]
        if (shown === undefined)
          return <EmptyState title="No plugins" hint="Add one by createPluginConfig in GraphQL." />
        return <PluginLog key={shown.number} plugin={shown} plugins={plugins} />
      }}
    </Answer>
  )
}

interface PluginLogProps {
  readonly plugin: Plugin
  readonly plugins: readonly Plugin[]
}

function PluginLog({ plugin, plugins }: PluginLogProps) {
  const { search, level = "all" } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const { entries, missed, failure, isLoading } = usePluginLogs(String(plugin.number), search, TYPES[level])
  const change = (changed: DataSearch): void =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })
  return (
    <Stack gap="md">
      <Group gap="md" align="flex-end">
        <NativeSelect
          label="Plugin"
          data={plugins.map(({ number, name, enabled }) => ({
            value: String(number),
            label: enabled ? name : `${name} (off)`,
          }))}
          value={String(plugin.number)}
          onChange={({ currentTarget: { value } }) => change({ plugin: value })}
        />
        <NativeSelect
          label="Entries"
          data={LEVELS}
          value={level}
          onChange={({ currentTarget: { value } }) => change({ level: readDataSearch({ level: value }).level })}
        />
        <SearchField placeholder="Part of a message" value={search} onChange={(text) => change({ search: text })} />
      </Group>
      <Text size="sm" c="dimmed">
        {plugin.description}
      </Text>
      {failure !== null && <Failure of={failure} onRetry={() => location.reload()} />}
      {missed > 0 && (
        <Alert color="yellow" py="xs">
          {missed.toLocaleString()} entries came faster than they could be shown. They are kept for 90 days.
        </Alert>
      )}
      {entries.length > 0 ? (
        <DataTable
          label="Log"
          columns={COLUMNS}
          rows={entries}
          toKey={({ uuid }) => uuid}
          detail={({ message }) => <span className="value">{message}</span>}
        />
      ) : isLoading ? (
        <Lines />
      ) : (
        <EmptyState title="Nothing was said" hint="What the plugin says is listed here as it comes." />
      )}
    </Stack>
  )
}
