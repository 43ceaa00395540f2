import { Button, Checkbox, Group, NativeSelect } from "@mantine/core"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useQuery } from "urql"
import type { PlaylistRowFragment } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import type { Column } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { PagedTable } from "../../ui/paged-table"
import { SearchField } from "../../ui/search-field"
import { Time } from "../../ui/time"
import { useRenewal } from "../../ui/use-renewal"
import { NewPlaylist } from "./new-playlist"
import { writeCount } from "./playlist-count"
import { toPlaylistName } from "./playlist-name"
import { PLAYLISTS } from "./playlists.queries"
import { type PlaylistsSearch, readPlaylistsSearch } from "./playlists-search"

const PAGE_SIZE = 50
const FROM = "/project/$project/playlists"

const KINDS = [
  { value: "", label: "Both" },
  { value: "COLLECTION", label: "Collections" },
  { value: "FILTERS", label: "Saved filters" },
]

const COLUMNS: readonly Column<PlaylistRowFragment>[] = [
  {
    title: "Name",
    cell: (playlist) => (
      <>
        <Link
          from="/project/$project"
          to="/project/$project/playlists/$playlist"
          params={{ playlist: playlist.shortId }}
        >
          {toPlaylistName(playlist)}
        </Link>
        {playlist.pinned && <span title="Pinned"> ★</span>}
      </>
    ),
  },
  { title: "Holds", cell: ({ type }) => (type === "FILTERS" ? "what filters find" : "what was added") },
  { title: "Recordings", cell: writeCount },
  { title: "Made by", cell: ({ createdBy }) => createdBy?.email ?? "" },
  { title: "Changed", cell: ({ lastModifiedAt }) => <Time of={lastModifiedAt} /> },
]

/** The playlists of the project, pinned ones first. Their counts are renewed while somebody looks. */
export function Playlists() {
  const { id: projectId } = useProject()
  const search = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const [isMaking, setMaking] = useState(false)
  const filter = { search: search.search, type: search.kind, pinned: search.pinned }
  const answer = useQuery({
    query: PLAYLISTS,
    variables: { projectId, filter, first: PAGE_SIZE, after: search.after },
    requestPolicy: "cache-and-network",
  })
  useRenewal(answer[1])
  /** Other filters begin at the first page again. */
  const change = (changed: PlaylistsSearch): void =>
    void navigate({ search: { ...search, after: undefined, ...changed }, replace: true })
  const make = <Button onClick={() => setMaking(true)}>New collection</Button>
  return (
    <Page title="Playlists" actions={make}>
      <Group gap="md" align="flex-end">
        <SearchField placeholder="Name" value={search.search} onChange={(text) => change({ search: text })} />
        <NativeSelect
          label="Kind"
          data={KINDS}
          value={search.kind ?? ""}
          onChange={({ currentTarget: { value } }) => change({ kind: readPlaylistsSearch({ kind: value }).kind })}
        />
        <Checkbox
          size="xs"
          pb={6}
          label="Pinned"
          checked={search.pinned ?? false}
          onChange={({ currentTarget: { checked } }) => change({ pinned: checked || undefined })}
        />
      </Group>
      <PagedTable
        label="Playlists"
        columns={COLUMNS}
        of={answer}
        toPage={({ sessionRecordingPlaylists }) => sessionRecordingPlaylists}
        after={search.after}
        onPage={(after) => void navigate({ search: { ...search, after } })}
        empty={
          <EmptyState
            title="No playlists"
            hint="A collection holds recordings that you add. To save filters, set them in the list of recordings."
            action={make}
          />
        }
      />
      {isMaking && <NewPlaylist title="New collection" onClose={() => setMaking(false)} />}
    </Page>
  )
}
