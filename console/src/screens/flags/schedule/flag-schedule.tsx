import { Button, Group, Stack, Text } from "@mantine/core"
import { useState } from "react"
import { useQuery } from "urql"
import type { FlagQuery, FlagScheduleQuery } from "../../../graph/generated/graphql"
import { MemberFieldset } from "../../../project/member-fieldset"
import { useProject } from "../../../project/project"
import { Answer } from "../../../ui/answer"
import { type Column, DataTable } from "../../../ui/data-table"
import { EmptyState } from "../../../ui/empty-state"
import { Problem } from "../../../ui/problem"
import { Time } from "../../../ui/time"
import { useChange } from "../../../ui/use-change"
import { FieldChanges } from "../field-changes"
import { PlanDialog } from "./plan-dialog"
import { REMOVE_PLAN, SCHEDULE } from "./schedule.queries"

type Planned = NonNullable<NonNullable<FlagScheduleQuery["featureFlag"]>["scheduledChanges"]>["nodes"][number]

const PAGE_SIZE = 50
const AGAIN = { DAILY: "every day", WEEKLY: "every week", MONTHLY: "every month" } as const

interface FlagScheduleProps {
  readonly flag: Pick<NonNullable<FlagQuery["featureFlag"]>, "key" | "number" | "active">
}

/** Changes of a flag that are planned, and what became of those that were. */
export function FlagSchedule({ flag: { key, number, active } }: FlagScheduleProps) {
  const { id: projectId, mayWrite } = useProject()
  const [first, setFirst] = useState(PAGE_SIZE)
  const [switching, setSwitching] = useState<boolean | null>(null)
  const answer = useQuery({
    query: SCHEDULE,
    variables: { projectId, key, first },
    requestPolicy: "cache-and-network",
  })
  const [{ fetching }, ask] = answer
  const { change, problem } = useChange(REMOVE_PLAN, (data) => data.deleteFeatureFlagScheduledChange)
  const reload = (): void => ask({ requestPolicy: "network-only" })
  const remove = async (id: string): Promise<void> => {
    if ((await change({ input: { projectId, id } })) !== null) reload()
  }
  return (
    <Stack gap="sm">
      <MemberFieldset>
        <Group gap="xs">
          <Button variant="default" onClick={() => setSwitching(!active)}>
            {active ? "Plan to switch it off" : "Plan to switch it on"}
          </Button>
          <Button variant="subtle" onClick={() => setSwitching(active)}>
            {active ? "Plan to switch it on" : "Plan to switch it off"}
          </Button>
        </Group>
      </MemberFieldset>
      <Text size="sm" c="dimmed">
        Who gets it is planned where it is edited: beside Save.
      </Text>
      <Problem of={problem} />
      <Answer of={answer}>
        {({ featureFlag }) => {
          const { nodes: plans = [], pageInfo } = featureFlag?.scheduledChanges ?? {}
          if (plans.length === 0)
            return <EmptyState title="Nothing is planned" hint="A change can be made by itself, once or regularly." />
          return (
            <>
              <DataTable
                label="Plans"
                columns={mayWrite ? [...COLUMNS, toActions((id) => void remove(id))] : COLUMNS}
                rows={plans}
                toKey={({ id }) => id}
                detail={({ changes }) => <FieldChanges of={changes} />}
              />
              {pageInfo?.hasNextPage && (
                <Button
                  variant="default"
                  style={{ alignSelf: "flex-start" }}
                  loading={fetching}
                  onClick={() => setFirst(first + PAGE_SIZE)}
                >
                  More
                </Button>
              )}
            </>
          )
        }}
      </Answer>
      {switching !== null && (
        <PlanDialog
          flagNumber={number}
          title={switching ? `Plan to switch ${key} on` : `Plan to switch ${key} off`}
          change={{ active: switching }}
          onClose={() => setSwitching(null)}
          onPlanned={reload}
        />
      )}
    </Stack>
  )
}

const COLUMNS: readonly Column<Planned>[] = [
  { title: "What", cell: ({ changes }) => changes.map(describe).join(", ") },
  { title: "When", cell: ({ dueAt }) => (dueAt === null ? "over" : <Time of={dueAt} />) },
  { title: "Again", cell: ({ recurrence }) => (recurrence === null ? "" : AGAIN[recurrence]) },
  { title: "What came of it", cell: toOutcome },
  { title: "Who", cell: ({ createdBy }) => createdBy?.email ?? "" },
]

const toActions = (onRemove: (id: string) => void): Column<Planned> => ({
  title: "Actions",
  cell: ({ id, dueAt }) => (
    <Button
      size="compact-xs"
      variant="subtle"
      color={dueAt === null ? "gray" : "red"}
      onClick={() => onRemove(id)}
      aria-label={`Remove plan ${id}`}
    >
      Remove
    </Button>
  ),
})

const describe = ({ field, after }: Planned["changes"][number]): string =>
  field === "active" ? (after === true ? "switch on" : "switch off") : field

function toOutcome({ failure, lastMadeAt }: Planned) {
  if (failure !== null) return <Text size="sm" c="red">{`Not made: ${failure}`}</Text>
  return lastMadeAt === null ? "" : <Time of={lastMadeAt} />
}
