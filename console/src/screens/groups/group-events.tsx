import { useNavigate, useSearch } from "@tanstack/react-router"
import { useQuery } from "urql"
import type { GroupName } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { EventHistory, PAGE_SIZE, type PastEvent } from "../../tables/event-history"
import { Answer } from "../../ui/answer"
import { GROUP_EVENTS } from "./groups.queries"

const FROM = "/project/$project/groups/$type/$key"

/** The latest events with a group of a type, or those before a time; its values are bound. */
const writeHogql = (typeIndex: number, before: string | undefined): string =>
  `SELECT uuid, event, distinct_id, timestamp, properties FROM events
   WHERE $group_${typeIndex} = {key} AND timestamp > now() - INTERVAL 90 DAY
   ${before === undefined ? "" : "AND timestamp < parseDateTime64BestEffort({before}, 6)"}
   ORDER BY timestamp DESC, uuid LIMIT ${PAGE_SIZE}`

const readEvents = (rows: readonly (readonly unknown[] | null)[]): PastEvent[] =>
  rows.map((row) => {
    const [id, event, distinctId, timestamp, properties] = row ?? []
    return {
      id: String(id),
      event: String(event),
      distinctId: String(distinctId),
      timestamp: String(timestamp),
      properties: typeof properties === "string" ? JSON.parse(properties) : properties,
    }
  })

/** What was done in the group in the last 90 days, newest first. */
export function GroupEvents({ group: { typeIndex, key } }: { readonly group: GroupName }) {
  const { id: projectId } = useProject()
  const { before } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const answer = useQuery({
    query: GROUP_EVENTS,
    variables: { projectId, hogql: writeHogql(typeIndex, before), values: { key, before } },
    requestPolicy: "cache-and-network",
  })
  return (
    <Answer of={answer}>
      {({ query }) => (
        <EventHistory
          events={query?.__typename === "HogQLResult" ? readEvents(query.rows) : []}
          onOlder={(last) => void navigate({ search: { tab: "events", before: last } })}
        />
      )}
    </Answer>
  )
}
