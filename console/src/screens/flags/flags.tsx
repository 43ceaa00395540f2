import { Badge, Button, Group, Text, TextInput } from "@mantine/core"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useQuery } from "urql"
import type { FlagsQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { type Column, DataTable } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { Time } from "../../ui/time"
import { ActiveSwitch } from "./active-switch"
import { FLAGS } from "./flags.queries"
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
  const answer = useQuery({ query: FLAGS, variables: { projectId: project.id, first: PAGE_SIZE, ...search } })
  const make = <Button onClick={() => setMaking(true)}>New flag</Button>
  return (
    <Page title="Flags" actions={make}>
      <TextInput
        label="Search"
        placeholder="Key or description"
        maw={320}
        defaultValue={search.search}
        onChange={({ currentTarget: { value } }) =>
          void navigate({ search: { search: value === "" ? undefined : value }, replace: true })
        }
      />
      <Answer of={answer}>
        {({ featureFlags, staleFeatureFlags }) => {
          if (!featureFlags?.nodes.length) return search.search === undefined ? NONE : NONE_FOUND
          const stale = new Set(staleFeatureFlags?.map(({ flag }) => flag.id))
          const { hasNextPage, endCursor } = featureFlags.pageInfo
          return (
            <>
              <DataTable label="Flags" columns={toColumns(stale)} rows={featureFlags.nodes} toKey={({ id }) => id} />
              <Group justify="space-between">
                <Text size="sm" c="dimmed">{`${featureFlags.totalCount.toLocaleString()} in all`}</Text>
                {hasNextPage && (
                  <Button
                    variant="default"
                    onClick={() => void navigate({ search: { ...search, after: endCursor ?? undefined } })}
                  >
                    Next page
                  </Button>
                )}
              </Group>
            </>
          )
        }}
      </Answer>
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
    cell: ({ id, key }) => (
      <Group gap="xs" wrap="nowrap">
        <Link to="/project/$project/flags/$key" from={FROM} params={{ key }}>
          {key}
        </Link>
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
