import { useNavigate, useSearch } from "@tanstack/react-router"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { EventHistory, PAGE_SIZE } from "../../tables/event-history"
import { Answer } from "../../ui/answer"
import { PERSON_EVENTS } from "./persons.queries"

const FROM = "/project/$project/persons/$person"

/** What the person did in the last 90 days, newest first. */
export function PersonEvents({ uuid }: { readonly uuid: string }) {
  const { id: projectId } = useProject()
  const { before } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const answer = useQuery({
    query: PERSON_EVENTS,
    variables: { projectId, uuid, before, first: PAGE_SIZE },
    requestPolicy: "cache-and-network",
  })
  return (
    <Answer of={answer}>
      {({ person }) => (
        <EventHistory
          events={person?.events ?? []}
          onOlder={(last) => void navigate({ search: { tab: "events", before: last } })}
        />
      )}
    </Answer>
  )
}
