import { Button, Modal, Select, Stack, Text, TextInput } from "@mantine/core"
import { useNavigate } from "@tanstack/react-router"
import { type SubmitEvent, useState } from "react"
import type { CreateFeatureFlagScheduledChangeInput } from "../../../graph/generated/graphql"
import { useProject } from "../../../project/project"
import { Problem } from "../../../ui/problem"
import { useChange } from "../../../ui/use-change"
import { readWallClock, writeWallClock } from "../../../ui/wall-clock"
import { PLAN_CHANGE } from "./schedule.queries"

const HOUR_MS = 3_600_000
const RECURRENCES = [
  { value: "DAILY", label: "every day" },
  { value: "WEEKLY", label: "every week" },
  { value: "MONTHLY", label: "every month" },
] as const

interface PlanDialogProps {
  readonly flagNumber: number
  /** What is planned, as in "Plan to switch it off". */
  readonly title: string
  readonly change: CreateFeatureFlagScheduledChangeInput["change"]
  readonly onClose: () => void
  /** Is called once it is planned. */
  readonly onPlanned?: () => void
}

/** Asks when a change of a flag is to be made, and leads to what is planned of the flag. */
export function PlanDialog({ flagNumber, title, change: wanted, onClose, onPlanned }: PlanDialogProps) {
  const { id: projectId, timezone } = useProject()
  const navigate = useNavigate({ from: "/project/$project/flags/$key" })
  const [at, setAt] = useState(() => writeWallClock(Date.now() + HOUR_MS, timezone))
  const [recurrence, setRecurrence] = useState<string | null>(null)
  const [isNoTime, setNoTime] = useState(false)
  const { change, isChanging, problem } = useChange(PLAN_CHANGE, (data) => data.createFeatureFlagScheduledChange)
  const plan = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const instant = readWallClock(at, timezone)
    setNoTime(instant === null)
    if (instant === null) return
    const again = RECURRENCES.find(({ value }) => value === recurrence)?.value ?? null
    const input = { projectId, id: String(flagNumber), at: instant, recurrence: again, change: wanted }
    if ((await change({ input })) === null) return
    onPlanned?.()
    onClose()
    await navigate({ search: (old) => ({ ...old, tab: "schedule" }) })
  }
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={(event) => void plan(event)}>
        <Stack gap="sm">
          <TextInput
            type="datetime-local"
            label="When"
            description={`By the clock of ${timezone}.`}
            required
            data-autofocus
            error={isNoTime ? "Write a day and a time." : undefined}
            value={at}
            onChange={({ currentTarget: { value } }) => setAt(value)}
          />
          <Select
            label="Again"
            placeholder="once"
            clearable
            data={RECURRENCES}
            value={recurrence}
            onChange={setRecurrence}
          />
          <Text size="sm" c="dimmed">
            It is made in your name. If it cannot be made then, the plan says why.
          </Text>
          <Problem of={problem} />
          <Button type="submit" loading={isChanging} style={{ alignSelf: "flex-end" }}>
            Plan it
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
