import { ActionIcon, Button } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { lazy, Suspense, useMemo, useState } from "react"
import { useQuery } from "urql"
import type { RecordingRowFragment } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { toRecordingColumns } from "../../tables/recording-columns"
import type { Column } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { Icon } from "../../ui/icon"
import { Page } from "../../ui/page"
import { PagedTable } from "../../ui/paged-table"
import { RECORDINGS } from "./recordings.queries"
import { RecordingsFilters } from "./recordings-filters"
import { toFilter } from "./recordings-search"
import { useLiveChanges } from "./use-live-changes"

const AddToPlaylist = lazy(async () => ({
  default: (await import("../playlists/add-to-playlist")).AddToPlaylist,
}))
const ReplaceFilters = lazy(async () => ({ default: (await import("../playlists/replace-filters")).ReplaceFilters }))
const SaveFilters = lazy(async () => ({ default: (await import("../playlists/save-filters")).SaveFilters }))

const PAGE_SIZE = 50
const FROM = "/project/$project/recordings"

/** The recorded sessions of the project, newest first, with those marked that go on just now. */
export function Recordings() {
  const { id: projectId, mayWrite } = useProject()
  const search = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const [isSaving, setSaving] = useState(false)
  const [added, setAdded] = useState<string | null>(null)
  const filter = useMemo(() => toFilter(search), [search])
  const answer = useQuery({
    query: RECORDINGS,
    variables: { projectId, filter, first: PAGE_SIZE, after: search.after },
    requestPolicy: "cache-and-network",
  })
  const [{ data }, ask] = answer
  const changes = useLiveChanges(projectId)
  const shown = new Set(data?.sessionRecordings?.nodes.map(({ sessionId }) => sessionId))
  const begun = [...changes].filter(([sessionId, kind]) => kind === "STARTED" && !shown.has(sessionId)).length
  const columns: readonly Column<RecordingRowFragment>[] = [
    ...toRecordingColumns(),
    {
      title: "Add",
      cell: ({ sessionId, person, distinctId }) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={`Add ${person?.name || distinctId} to a playlist`}
          onClick={() => setAdded(sessionId)}
        >
          <Icon name="plus" size={16} />
        </ActionIcon>
      ),
    },
  ]
  return (
    <Page
      title="Recordings"
      actions={
        <>
          {begun > 0 && (
            <Button variant="light" onClick={() => ask({ requestPolicy: "network-only" })}>
              {`${begun.toLocaleString()} begun since: look again`}
            </Button>
          )}
          {search.playlist !== undefined && mayWrite && (
            <Suspense>
              <ReplaceFilters playlist={search.playlist} filters={search} />
            </Suspense>
          )}
          <Button variant="default" onClick={() => setSaving(true)}>
            Save the filters
          </Button>
        </>
      }
    >
      <RecordingsFilters />
      <PagedTable
        label="Recordings"
        columns={columns}
        of={answer}
        toPage={({ sessionRecordings: page }) =>
          page && {
            pageInfo: page.pageInfo,
            nodes: page.nodes.map((one) => {
              const change = changes.get(one.sessionId)
              return change === undefined ? one : { ...one, ongoing: change === "STARTED" }
            }),
          }
        }
        after={search.after}
        onPage={(after) => void navigate({ search: { ...search, after } })}
        empty={
          <EmptyState
            title="No recordings"
            hint="None fits these filters. The browser SDK makes them when the project records sessions."
          />
        }
      />
      <Suspense>
        {isSaving && <SaveFilters filters={search} onClose={() => setSaving(false)} />}
        {added !== null && <AddToPlaylist sessionId={added} onClose={() => setAdded(null)} />}
      </Suspense>
    </Page>
  )
}
