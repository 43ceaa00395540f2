import { useNavigate, useSearch } from "@tanstack/react-router"
import { useQuery } from "urql"
import type { GroupName } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { EventHistory, PAGE_SIZE } from "../../tables/event-history"
import { Answer } from "../../ui/answer"
import { GROUP_EVENTS } from "./groups.queries"

const FROM = "/project/$project/groups/$type/$key"

/** What was done in the group in the last 90 days, newest first. */
export function GroupEvents({ group }: { readonly group: GroupName }) {
  const { id: projectId } = useProject()
  const { before } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const answer = useQuery({
    query: GROUP_EVENTS,
    variables: { projectId, group, before, first: PAGE_SIZE },
    requestPolicy: "cache-and-network",
  })
  return (
    <Answer of={answer}>
      {({ group: found }) => (
        <EventHistory
          events={found?.events ?? []}
          onOlder={(last) => void navigate({ search: { tab: "events", before: last } })}
        />
      )}
    </Answer>
  )
}
