import { Text } from "@mantine/core"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useQuery } from "urql"
import type { GroupQuery, GroupTypesQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { toGroupName } from "../../tables/group-name"
import { Answer } from "../../ui/answer"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { PartTabs } from "../../ui/part-tabs"
import { PropertyTable } from "../../ui/property-table"
import { Time } from "../../ui/time"
import { GroupEvents } from "./group-events"
import { GroupFlags } from "./group-flags"
import { GroupPersons } from "./group-persons"
import { GROUP_TABS } from "./group-search"
import { GROUP, GROUP_TYPES } from "./groups.queries"

type GroupType = NonNullable<GroupTypesQuery["groupTypes"]>[number]

const FROM = "/project/$project/groups/$type/$key"
const NONE = (
  <Page title="Group">
    <EmptyState title="There is no such group" hint="Look for it in the list, by its name or key." />
  </Page>
)

/** One group: what is known of it, what was done in it and by whom, and what flags are for it. */
export function GroupPage() {
  const { id: projectId } = useProject()
  const { type, key } = useParams({ from: FROM })
  const types = useQuery({ query: GROUP_TYPES, variables: { projectId } })
  const found = types[0].data?.groupTypes?.find(({ name }) => name === type)
  const answer = useQuery({
    query: GROUP,
    variables: { projectId, group: { typeIndex: found?.typeIndex ?? 0, key } },
    pause: found === undefined,
    requestPolicy: "cache-and-network",
  })
  return (
    <Answer of={types}>
      {() =>
        found === undefined ? (
          NONE
        ) : (
          <Answer of={answer}>{({ group }) => (group === null ? NONE : <Found group={group} type={found} />)}</Answer>
        )
      }
    </Answer>
  )
}

interface FoundProps {
  readonly group: NonNullable<GroupQuery["group"]>
  readonly type: GroupType
}

function Found({ group, type }: FoundProps) {
  const { tab } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const named = { typeIndex: type.typeIndex, key: group.key }
  return (
    <Page title={toGroupName(group)}>
      <Text size="sm" c="dimmed">
        {`${type.name} ${group.key}, first seen `}
        <Time of={group.createdAt} />
      </Text>
      <PartTabs
        names={GROUP_TABS}
        parts={{
          properties: { title: "Properties", content: <PropertyTable properties={group.properties} /> },
          events: { title: "Events", content: <GroupEvents group={named} /> },
          persons: { title: "Persons", content: <GroupPersons group={named} /> },
          flags: { title: "Flags", content: <GroupFlags group={named} type={type.name} /> },
        }}
        shown={tab}
        onShow={(shown) => void navigate({ search: { tab: shown } })}
      />
    </Page>
  )
}
