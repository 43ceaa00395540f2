import { Button } from "@mantine/core"
import { useState } from "react"
import type { KeysQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { type Column, DataTable } from "../../ui/data-table"
import { Problem } from "../../ui/problem"
import { ShownOnce } from "../../ui/shown-once"
import { Time } from "../../ui/time"
import { useChange } from "../../ui/use-change"
import { CREATE_SECRET_KEY, REVOKE_SECRET_KEY } from "./keys.queries"
import { Section } from "./section"

type SecretKey = NonNullable<NonNullable<KeysQuery["project"]>["secretKeys"]>[number]

interface SecretKeysProps {
  readonly keys: readonly SecretKey[]
  readonly mayChange: boolean
  readonly onChanged: () => void
}

/** Keys with which servers read flags of the project to decide them by themselves. */
export function SecretKeys({ keys, mayChange, onChanged }: SecretKeysProps) {
  const { id: projectId } = useProject()
  const [value, setValue] = useState<string | null>(null)
  const made = useChange(CREATE_SECRET_KEY, (data) => data.createProjectSecretKey)
  const revoked = useChange(REVOKE_SECRET_KEY, (data) => data.revokeProjectSecretKey)
  const make = async (): Promise<void> => {
    const answer = await made.change({ projectId })
    setValue(answer?.createProjectSecretKey?.projectSecretKey?.value ?? null)
    onChanged()
  }
  const revoke = async (id: string): Promise<void> => {
    setValue(null)
    await revoked.change({ projectId, id })
    onChanged()
  }
  const columns: readonly Column<SecretKey>[] = [
    { title: "Key", cell: ({ maskedValue }) => <span className="value">{maskedValue}</span> },
    { title: "Made", cell: ({ createdAt }) => <Time of={createdAt} /> },
    {
      title: "More",
      cell: ({ id }) =>
        mayChange && (
          <Button variant="subtle" color="red" size="compact-xs" onClick={() => void revoke(id)}>
            Revoke
          </Button>
        ),
    },
  ]
  return (
    <Section
      title="Secret keys of the project"
      note="Servers read all flags with one, to decide them without asking. A project has at most two."
    >
      <Problem of={made.problem ?? revoked.problem} />
      {value !== null && <ShownOnce what="Secret key" value={value} />}
      {keys.length > 0 && <DataTable label="Secret keys" columns={columns} rows={keys} toKey={({ id }) => id} />}
      {mayChange && (
        <Button
          variant="default"
          style={{ alignSelf: "flex-start" }}
          loading={made.isChanging}
          onClick={() => void make()}
        >
          New secret key
        </Button>
      )}
    </Section>
  )
}
