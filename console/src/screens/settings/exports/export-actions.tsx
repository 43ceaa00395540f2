import { Button, Group, Stack } from "@mantine/core"
import { useProject } from "../../../project/project"
import { Problem } from "../../../ui/problem"
import { useChange } from "../../../ui/use-change"
import { RUN_EXPORT, UPDATE_EXPORT } from "./exports.queries"
import type { ListedExport } from "./words"

interface ExportActionsProps {
  readonly of: ListedExport
  readonly onChange: () => void
  readonly onDelete: () => void
}

/** What can be done with an export: run, pause or resume it at once, or change or delete it in a dialog. */
export function ExportActions({ of: { id, name, isPaused }, onChange, onDelete }: ExportActionsProps) {
  const { id: projectId } = useProject()
  const running = useChange(RUN_EXPORT, (data) => data.runScheduledExport)
  const pausing = useChange(UPDATE_EXPORT, (data) => data.updateScheduledExport)
  const compact = { size: "compact-xs", variant: "subtle" } as const
  return (
    <Stack gap={4}>
      <Group gap={4} wrap="nowrap">
        {!isPaused && (
          <Button
            {...compact}
            aria-label={`Run now: ${name}`}
            loading={running.isChanging}
            onClick={() => void running.change({ input: { projectId, id } })}
          >
            Run now
          </Button>
        )}
        <Button
          {...compact}
          aria-label={isPaused ? `Resume ${name}` : `Pause ${name}`}
          loading={pausing.isChanging}
          onClick={() => void pausing.change({ input: { projectId, id, isPaused: !isPaused } })}
        >
          {isPaused ? "Resume" : "Pause"}
        </Button>
        <Button {...compact} aria-label={`Change ${name}`} onClick={onChange}>
          Change
        </Button>
        <Button {...compact} color="red" aria-label={`Delete ${name}`} onClick={onDelete}>
          Delete
        </Button>
      </Group>
      <Problem of={running.problem ?? pausing.problem} />
    </Stack>
  )
}
