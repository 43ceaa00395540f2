import { Navigate } from "@tanstack/react-router"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { HAS_EVENTS } from "./start.queries"

const FROM = "/project/$project"

/** Leads into a project: to its events, or to how the first one is sent. */
export function ProjectHome() {
  const { id } = useProject()
  const answer = useQuery({ query: HAS_EVENTS, variables: { number: Number(id) }, requestPolicy: "network-only" })
  return (
    <Answer of={answer}>
      {({ project }) =>
        project?.ingestedEvent === false ? (
          <Navigate from={FROM} to="/project/$project/start" replace />
        ) : (
          <Navigate from={FROM} to="/project/$project/events" replace />
        )
      }
    </Answer>
  )
}
