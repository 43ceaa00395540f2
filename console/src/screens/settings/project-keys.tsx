import { Button, CopyButton, Group } from "@mantine/core"
import type { KeysQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { type Column, DataTable } from "../../ui/data-table"
import { Problem } from "../../ui/problem"
import { Time } from "../../ui/time"
import { useChange } from "../../ui/use-change"
import { CREATE_PROJECT_KEY, REVOKE_PROJECT_KEY } from "./keys.queries"
import { Section } from "./section"

type ProjectKey = NonNullable<KeysQuery["project"]>["keys"][number]

interface ProjectKeysProps {
  readonly keys: readonly ProjectKey[]
  readonly mayChange: boolean
  readonly onChanged: () => void
}

/** Public keys, which applications send events with. */
export function ProjectKeys({ keys, mayChange, onChanged }: ProjectKeysProps) {
  const { id: projectId } = useProject()
  const made = useChange(CREATE_PROJECT_KEY, (data) => data.createProjectKey)
  const revoked = useChange(REVOKE_PROJECT_KEY, (data) => data.revokeProjectKey)
  const make = async (): Promise<void> => {
    await made.change({ projectId })
    onChanged()
  }
  const revoke = async (id: string): Promise<void> => {
    await revoked.change({ projectId, id })
    onChanged()
  }
  const columns: readonly Column<ProjectKey>[] = [
    { title: "Key", cell: ({ token }) => <span className="value">{token}</span> },
    { title: "Made", cell: ({ createdAt }) => <Time of={createdAt} /> },
    {
      title: "More",
      cell: ({ id, token }) => (
        <Group gap={4} wrap="nowrap">
          <CopyButton value={token}>
            {({ copy, copied }) => (
              <Button variant="subtle" size="compact-xs" onClick={copy}>
                {copied ? "Copied" : "Copy"}
              </Button>
            )}
          </CopyButton>
          {mayChange && keys.length > 1 && (
            <Button variant="subtle" color="red" size="compact-xs" onClick={() => void revoke(id)}>
              Revoke
            </Button>
          )}
        </Group>
      ),
    },
  ]
  return (
    <Section
      title="Keys of the project"
      note="Applications send events and ask for flags with them. They are no secret: they may stand in a page."
    >
      <Problem of={made.problem ?? revoked.problem} />
      <DataTable label="Keys of the project" columns={columns} rows={keys} toKey={({ id }) => id} />
      {mayChange && (
        <Button
          variant="default"
          style={{ alignSelf: "flex-start" }}
          loading={made.isChanging}
          onClick={() => void make()}
        >
          Another key
        </Button>
      )}
    </Section>
  )
}
