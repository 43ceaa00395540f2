import { Group, SegmentedControl } from "@mantine/core"
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useQuery } from "urql"
import type { GroupsQuery, GroupTypesQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { toGroupName } from "../../tables/group-name"
import { Answer } from "../../ui/answer"
import type { Column } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { PagedTable } from "../../ui/paged-table"
import { SearchField } from "../../ui/search-field"
import { Time } from "../../ui/time"
import { GROUP_TYPES, GROUPS } from "./groups.queries"

type GroupType = NonNullable<GroupTypesQuery["groupTypes"]>[number]
type Listed = NonNullable<GroupsQuery["groups"]>["nodes"][number]

const PAGE_SIZE = 50
const FROM = "/project/$project/groups/{-$type}"

/** The groups of the project, by their type; those of the first one where the address names none. */
export function Groups() {
  const { id: projectId } = useProject()
  const { type } = useParams({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const answer = useQuery({ query: GROUP_TYPES, variables: { projectId } })
  return (
    <Page title="Groups">
      <Answer of={answer}>
        {({ groupTypes }) => {
          const types = groupTypes ?? []
          const shown = type === undefined ? types[0] : types.find(({ name }) => name === type)
          if (shown === undefined) return types.length === 0 ? NONE_YET : NO_SUCH_TYPE
          return (
            <>
              {types.length > 1 && (
                <Group>
                  <SegmentedControl
                    aria-label="Type"
                    data={types.map(({ name }) => name)}
                    value={shown.name}
                    onChange={(chosen) => void navigate({ params: { type: chosen }, search: {} })}
                  />
                </Group>
              )}
              <GroupsOfType key={shown.typeIndex} type={shown} />
            </>
          )
        }}
      </Answer>
    </Page>
  )
}

function GroupsOfType({ type: { name: type, typeIndex } }: { readonly type: GroupType }) {
  const { id: projectId } = useProject()
  const search = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const answer = useQuery({
    query: GROUPS,
    variables: { projectId, typeIndex, first: PAGE_SIZE, ...search },
    requestPolicy: "cache-and-network",
  })
  const columns: readonly Column<Listed>[] = [
    {
      title: "Group",
      cell: (group) => (
        <Link
          from="/project/$project"
          to="/project/$project/groups/$type/$key"
          params={{ type, key: group.key }}
          search={{}}
        >
          {toGroupName(group)}
        </Link>
      ),
    },
    { title: "Key", cell: ({ key }) => key },
    { title: "First seen", cell: ({ createdAt }) => <Time of={createdAt} /> },
  ]
  return (
    <>
      <SearchField
        placeholder={`Name or key of a ${type}`}
        value={search.search}
        onChange={(text) => void navigate({ search: { search: text }, replace: true })}
      />
      <PagedTable
        label="Groups"
        columns={columns}
        of={answer}
        toPage={({ groups }) => groups}
        after={search.after}
        onPage={(after) => void navigate({ search: { ...search, after } })}
        empty={search.search === undefined ? NONE_YET : NONE_FOUND}
      />
    </>
  )
}

const NONE_YET = (
  <EmptyState
    title="No groups yet"
    hint="A group is what persons belong to, such as a company. Call group() of an SDK to have one."
  />
)
const NO_SUCH_TYPE = <EmptyState title="There is no such type" hint="Go on by Groups in the navigation." />
const NONE_FOUND = <EmptyState title="No such group" hint="No name and no key has this text. Try less of it." />
