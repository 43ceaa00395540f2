import { Anchor, Group, Text } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { useRenewal } from "../../ui/use-renewal"
import { ONLINE } from "./live.queries"

const MINUTES = 5
const MOST_SHOWN = 6

const SINCE = `timestamp > now() - INTERVAL ${MINUTES} MINUTE`
/** Those of the latest events, what names them, and how many there are in all. */
const HOGQL = `SELECT person_id, argMax(person.properties.email, timestamp), argMax(distinct_id, timestamp),
    (SELECT count(DISTINCT person_id) FROM events WHERE ${SINCE})
  FROM events WHERE ${SINCE} GROUP BY person_id ORDER BY max(timestamp) DESC LIMIT ${MOST_SHOWN}`

/** Who sent an event in the last minutes. */
export function Online() {
  const { id: projectId } = useProject()
  const [{ data }, ask] = useQuery({ query: ONLINE, variables: { projectId, hogql: HOGQL } })
  useRenewal(ask)
  const found = data?.query?.__typename === "HogQLResult" ? data.query.rows : null
  const rows = found ?? []
  const all = Number(rows[0]?.[3] ?? 0)
  return (
    <Group component="section" aria-label="Online now" gap="4px 12px">
      <Text size="sm" c="dimmed">
        {`Online in the last ${MINUTES} minutes: ${found === null ? "…" : all.toLocaleString()}`}
      </Text>
      {rows.map((row) => (
        <Anchor
          key={String(row?.[0])}
          size="sm"
          truncate
          maw="min(20rem, 100%)"
          renderRoot={(props) => (
            <Link
              {...props}
              from="/project/$project"
              to="/project/$project/persons/$person"
              params={{ person: String(row?.[0]) }}
            />
          )}
        >
          {String(row?.[1] || row?.[2])}
        </Anchor>
      ))}
      {all > rows.length && (
        <Text size="sm" c="dimmed">
          {`and ${(all - rows.length).toLocaleString()} more`}
        </Text>
      )}
    </Group>
  )
}
