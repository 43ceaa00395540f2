import { Badge, Button, Group } from "@mantine/core"
import type { AccountQuery } from "../../graph/generated/graphql"
import { type Column, DataTable } from "../../ui/data-table"
import { Problem } from "../../ui/problem"
import { Time } from "../../ui/time"
import { useChange } from "../../ui/use-change"
import { REVOKE_SESSION } from "./account.queries"
import { nameBrowser } from "./name-browser"
import { Section } from "./section"

type Session = NonNullable<AccountQuery["me"]>["sessions"][number]

interface SessionsProps {
  readonly sessions: readonly Session[]
  readonly onChanged: () => void
}

/** Browsers in which one is signed in; any but this one is signed out here. */
export function Sessions({ sessions, onChanged }: SessionsProps) {
  const { change, problem } = useChange(REVOKE_SESSION, ({ revokeSession }) => revokeSession)
  const revoke = async (id: string): Promise<void> => {
    await change({ id })
    onChanged()
  }
  const columns: readonly Column<Session>[] = [
    {
      title: "Browser",
      cell: ({ userAgent, isCurrent }) => (
        <Group gap="xs" wrap="nowrap">
          <span title={userAgent}>{nameBrowser(userAgent)}</span>
          {isCurrent && (
            <Badge variant="light" size="sm" flex="none">
              This one
            </Badge>
          )}
        </Group>
      ),
    },
    { title: "Signed in", cell: ({ createdAt }) => <Time of={createdAt} /> },
    { title: "Last used", cell: ({ lastUsedAt }) => <Time of={lastUsedAt} /> },
    {
      title: "More",
      cell: ({ id, isCurrent }) =>
        !isCurrent && (
          <Button variant="subtle" color="red" size="compact-xs" onClick={() => void revoke(id)}>
            Sign out
          </Button>
        ),
    },
  ]
  return (
    <Section title="Browsers" note="Where you are signed in. One that is not used for 14 days is signed out by itself.">
      <Problem of={problem} />
      <DataTable label="Browsers" columns={columns} rows={sessions} toKey={({ id }) => id} />
    </Section>
  )
}
