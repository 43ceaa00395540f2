import { Badge, Button, Group, Text } from "@mantine/core"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useQuery } from "urql"
import type { FlagsQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import type { Column } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { PagedTable } from "../../ui/paged-table"
import { SearchField } from "../../ui/search-field"
import { Time } from "../../ui/time"
import { ActiveSwitch } from "./active-switch"
import { WaitingFlags } from "./approval/waiting-flags"
import { AFTER_CHANGES, FLAGS } from "./flags.queries"
import { NewFlag } from "./new-flag"

type Flag = NonNullable<FlagsQuery["featureFlags"]>["nodes"][number]

const PAGE_SIZE = 100
const FROM = "/project/$project/flags"

/** All flags of the project by their keys. */
export function Flags() {
  const project = useProject()
  const search = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const [isMaking, setMaking] = useState(false)
  const answer = useQuery({
    query: FLAGS,
    variables: { projectId: project.id, first: PAGE_SIZE, ...search },
    context: AFTER_CHANGES,
  })
  const [{ data }] = answer
  const stale = new Set(data?.staleFeatureFlags?.map(({ flag }) => flag.id))
  const make = project.mayWrite && <Button onClick={() => setMaking(true)}>New flag</Button>
  return (
    <Page title="Flags" actions={make}>
      <Group justify="space-between" align="flex-end">
        <SearchField
          placeholder="Key or description"
          value={search.search}
          onChange={(text) => void navigate({ search: { search: text }, replace: true })}
        />
        {data?.featureFlags && (
          <Text size="sm" c="dimmed">{`${data.featureFlags.totalCount.toLocaleString()} in all`}</Text>
        )}
      </Group>
      <WaitingFlags />
      <PagedTable
        label="Flags"
        columns={toColumns(stale)}
        of={answer}
        toPage={({ featureFlags }) => featureFlags}
        after={search.after}
        onPage={(after) => void navigate({ search: { ...search, after } })}
        empty={search.search === undefined ? NONE : NONE_FOUND}
      />
      <NewFlag isOpen={isMaking} onClose={() => setMaking(false)} />
    </Page>
  )
}

const NONE = (
  <EmptyState
    title="No flags yet"
    hint="A flag switches a part of your product on for some people and off for others. Make the first one above."
  />
)
const NONE_FOUND = <EmptyState title="No such flag" hint="No key and no description has this text." />

const toColumns = (stale: ReadonlySet<string>): readonly Column<Flag>[] => [
  { title: "On", cell: (flag) => <ActiveSwitch of={flag} /> },
  {
    title: "Key",
    cell: ({ id, key, filters }) => (
      <Group gap="xs" wrap="nowrap">
        <Link to="/project/$project/flags/$key" from={FROM} params={{ key }}>
          {key}
        </Link>
        {filters?.earlyAccess && <Badge variant="light">Early access</Badge>}
        {stale.has(id) && (
          <Badge variant="light" color="gray" title="Nobody changed or asked for it for 30 days">
            Stale
          </Badge>
        )}
      </Group>
    ),
  },
  { title: "Description", cell: ({ name }) => name },
  { title: "Goes to", cell: toReach },
  { title: "Changed", cell: ({ updatedAt }) => <Time of={updatedAt} /> },
]

/** Who gets a flag, in a few words. */
function toReach({ filters }: Flag): string {
  const conditions = filters?.conditions ?? []
  const shares = conditions.map(({ rolloutPercentage }) => rolloutPercentage ?? 100)
  const isForAll = conditions.some(({ properties }) => properties.length === 0)
  const variants = filters?.variants.length ?? 0
  const whom = isForAll ? "everybody" : conditions.length === 1 ? "those who fit" : `${conditions.length} conditions`
  const reach = conditions.length === 0 ? "nobody" : `${Math.max(...shares)} % of ${whom}`
  return variants === 0 ? reach : `${reach}, ${variants} variants`
}
