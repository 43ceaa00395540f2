import { Button, Group, Modal, Stack, Text } from "@mantine/core"
import { useProject } from "../../project/project"
import { Diff } from "../../ui/diff"
import { Problem } from "../../ui/problem"
import { useChange } from "../../ui/use-change"
import { UPDATE_FLAG } from "./flags.queries"
import { type Difference, toChange } from "./former-state"

interface RestoreDialogProps {
  readonly flag: { readonly number: number; readonly version: number }
  /** What will be different; null when it is not known any more. */
  readonly differences: readonly Difference[] | null
  readonly onClose: () => void
}

/** Shows what a former state would change, and brings it back. */
export function RestoreDialog({ flag: { number, version }, differences, onClose }: RestoreDialogProps) {
  const project = useProject()
  const { change, isChanging, problem } = useChange(UPDATE_FLAG, ({ updateFeatureFlag }) => updateFeatureFlag)
  const restore = async (): Promise<void> => {
    const input = { ...toChange(differences ?? []), projectId: project.id, id: String(number), version }
    if ((await change({ input })) !== null) onClose()
  }
  return (
    <Modal opened onClose={onClose} title="Restore what was before" size="lg">
      <Stack gap="sm">
        {differences === null ? (
          <Text size="sm">An entry since then does not say what was before it: an earlier release wrote it.</Text>
        ) : differences.length === 0 ? (
          <Text size="sm">The flag is as it was then.</Text>
        ) : (
          differences.map(({ field, before, after }) => (
            <Diff key={field} label={field} before={before} after={after} />
          ))
        )}
        <Problem of={problem} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={!differences?.length} loading={isChanging} onClick={() => void restore()}>
            Restore
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
