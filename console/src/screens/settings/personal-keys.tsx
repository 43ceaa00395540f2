import { Button, Group } from "@mantine/core"
import { useState } from "react"
import type { KeysQuery } from "../../graph/generated/graphql"
import { type Column, DataTable } from "../../ui/data-table"
import { Problem } from "../../ui/problem"
import { ShownOnce } from "../../ui/shown-once"
import { Time } from "../../ui/time"
import { useChange } from "../../ui/use-change"
import { REVOKE_PERSONAL_KEY, ROLL_PERSONAL_KEY } from "./keys.queries"
import { NewKey } from "./new-key"
import { describeScopes } from "./scopes"
import { Section } from "./section"

type PersonalKey = NonNullable<KeysQuery["personalApiKeys"]>[number]

interface PersonalKeysProps {
  readonly keys: readonly PersonalKey[]
  readonly onChanged: () => void
}

/** Keys with which one's own programs ask the graph and REST. */
export function PersonalKeys({ keys, onChanged }: PersonalKeysProps) {
  const [isMaking, setMaking] = useState(false)
  const [value, setValue] = useState<string | null>(null)
  const rolled = useChange(ROLL_PERSONAL_KEY, (data) => data.rollPersonalApiKey)
  const revoked = useChange(REVOKE_PERSONAL_KEY, (data) => data.revokePersonalApiKey)
  const roll = async (id: string): Promise<void> => {
    const made = await rolled.change({ id })
    setValue(made?.rollPersonalApiKey?.personalApiKey?.value ?? null)
    onChanged()
  }
  const revoke = async (id: string): Promise<void> => {
    setValue(null)
    await revoked.change({ id })
    onChanged()
  }
  const columns: readonly Column<PersonalKey>[] = [
    { title: "Key", cell: ({ label }) => label },
    { title: "Value", cell: ({ maskedValue }) => <span className="value">{maskedValue}</span> },
    { title: "May do", cell: ({ scopes }) => describeScopes(scopes) },
    { title: "Projects", cell: ({ projectIds }) => projectIds?.join(", ") ?? "all of yours" },
    { title: "Last used", cell: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : <Time of={lastUsedAt} />) },
    {
      title: "More",
      cell: ({ id, label }) => (
        <Group gap={4} wrap="nowrap">
          <Button
            variant="subtle"
            size="compact-xs"
            aria-label={`New value of ${label}`}
            title="Another value; the one before is refused at once."
            onClick={() => void roll(id)}
          >
            New value
          </Button>
          <Button
            variant="subtle"
            color="red"
            size="compact-xs"
            aria-label={`Revoke ${label}`}
            onClick={() => void revoke(id)}
          >
            Revoke
          </Button>
        </Group>
      ),
    },
  ]
  return (
    <Section
      title="Personal keys"
      note="Your programs ask GraphQL and REST with them. A key may do what you may, and only what it is made for."
    >
      <Problem of={rolled.problem ?? revoked.problem} />
      {value !== null && <ShownOnce what="New value" value={value} />}
      {keys.length > 0 && <DataTable label="Personal keys" columns={columns} rows={keys} toKey={({ id }) => id} />}
      <Button style={{ alignSelf: "flex-start" }} onClick={() => setMaking(true)}>
        New personal key
      </Button>
      {isMaking && <NewKey onMade={onChanged} onClose={() => setMaking(false)} />}
    </Section>
  )
}
