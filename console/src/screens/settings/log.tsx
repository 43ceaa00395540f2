import { Group, NativeSelect, SegmentedControl } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useQuery } from "urql"
import type { ActivityScope, LogEntriesFragment } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import type { Column } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { PagedTable } from "../../ui/paged-table"
import { PropertyValue } from "../../ui/property-table"
import { Time } from "../../ui/time"
import { LOG } from "./log.queries"

type Entry = LogEntriesFragment["nodes"][number]
type Kind = readonly [scope: ActivityScope, label: string]

const PAGE_SIZE = 50
const FROM = "/project/$project/settings"

/** Kinds of things with what they are called, those of projects and those that belong to none. */
const OF_PROJECT: readonly Kind[] = [
  ["ACTION", "Actions"],
  ["COHORT", "Cohorts"],
  ["DASHBOARD", "Dashboards"],
  ["EVENT_DEFINITION", "Names of events"],
  ["FEATURE_FLAG", "Flags"],
  ["INSIGHT", "Insights"],
  ["SESSION_RECORDING_PLAYLIST", "Playlists"],
  ["PLUGIN_CONFIG", "Plugins"],
  ["PROJECT", "The project"],
  ["PROJECT_SECRET", "Secret keys"],
  ["PROPERTY_DEFINITION", "Names of properties"],
]
const OUTSIDE: readonly Kind[] = [
  ["ORGANIZATION", "Organizations"],
  ["ORGANIZATION_MEMBER", "Members"],
  ["PERSONAL_API_KEY", "Personal keys"],
  ["USER", "Accounts"],
]

const toWords = (name: string): string => name.toLowerCase().replaceAll("_", " ")

const COLUMNS: readonly Column<Entry>[] = [
  { title: "Time", cell: ({ createdAt }) => <Time of={createdAt} /> },
  { title: "Who", cell: ({ user }) => user?.email ?? "the system" },
  { title: "What", cell: ({ scope, activity }) => `${toWords(scope)} ${toWords(activity)}` },
  { title: "Of", cell: ({ itemId }) => <span className="value">{itemId}</span> },
  { title: "Fields", cell: ({ changes }) => changes.map(({ field }) => field).join(", ") },
]

/** Who changed what, newest first: in the project, or in the organization and one's own account. */
export function Log() {
  const { id: projectId, name } = useProject()
  const { outside: isOutside = false, kind, after } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const kinds = isOutside ? OUTSIDE : OF_PROJECT
  const scope = kinds.find(([one]) => one === kind)?.[0]
  const answer = useQuery({
    query: LOG,
    variables: { projectId, isOutside, scope, after, first: PAGE_SIZE },
    requestPolicy: "cache-and-network",
  })
  return (
    <>
      <Group gap="sm" mb="md">
        <SegmentedControl
          aria-label="Where"
          data={[
            { value: "project", label: name },
            { value: "outside", label: "Organization and account" },
          ]}
          value={isOutside ? "outside" : "project"}
          onChange={(where) =>
            void navigate({ search: { tab: "log", outside: where === "outside" ? true : undefined } })
          }
        />
        <NativeSelect
          aria-label="Kind"
          data={[{ value: "", label: "Everything" }, ...kinds.map(([value, label]) => ({ value, label }))]}
          value={scope ?? ""}
          onChange={({ currentTarget: { value } }) =>
            void navigate({ search: (old) => ({ ...old, kind: value || undefined, after: undefined }) })
          }
        />
      </Group>
      <PagedTable
        label="Audit log"
        of={answer}
        toPage={({ activityLog, accountActivityLog }) => (isOutside ? accountActivityLog : activityLog)}
        columns={COLUMNS}
        detail={({ changes }) =>
          changes.map(({ field, before, after: next }) => (
            <div key={field}>
              {field}: <PropertyValue of={before} /> → <PropertyValue of={next} />
            </div>
          ))
        }
        empty={<EmptyState title="Nothing was changed" hint="Choose another kind, or the other log beside it." />}
        after={after}
        onPage={(page) => void navigate({ search: (old) => ({ ...old, after: page }) })}
      />
    </>
  )
}
