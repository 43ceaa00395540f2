import { Button, Group, Modal, Stack, Text } from "@mantine/core"
import { useProject } from "../../../project/project"
import { Problem } from "../../../ui/problem"
import { useChange } from "../../../ui/use-change"
import { DELETE_EXPORT } from "./exports.queries"
import type { ListedExport } from "./words"

interface DeleteExportProps {
  readonly of: ListedExport
  readonly onClose: () => void
}

/** Says what the end of an export means, and ends it. */
export function DeleteExport({ of: { id, name }, onClose }: DeleteExportProps) {
  const { id: projectId } = useProject()
  const { change, isChanging, problem } = useChange(DELETE_EXPORT, (data) => data.deleteScheduledExport)
  const remove = async (): Promise<void> => {
    if ((await change({ input: { projectId, id } })) !== null) onClose()
  }
  return (
    <Modal opened onClose={onClose} title={`Delete ${name}`}>
      <Stack gap="sm">
        <Text size="sm">
          Nothing more is written, and how far it came is forgotten: another export begins anew. Files that are written
          stay where they are.
        </Text>
        <Problem of={problem} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red" loading={isChanging} onClick={() => void remove()}>
            Delete
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
