import { Button, Group, Modal, Stack, Text } from "@mantine/core"
import { Problem } from "../../ui/problem"
import { useChange } from "../../ui/use-change"
import { REMOVE_MEMBER } from "./members.queries"

interface RemoveMemberProps {
  readonly organizationId: string
  readonly member: { readonly number: number; readonly email: string }
  readonly onRemoved: () => void
  readonly onClose: () => void
}

/** Says what the end of a membership means, and ends it. */
export function RemoveMember({ organizationId, member, onRemoved, onClose }: RemoveMemberProps) {
  const { change, isChanging, problem } = useChange(REMOVE_MEMBER, (data) => data.removeOrganizationMember)
  const remove = async (): Promise<void> => {
    if ((await change({ input: { organizationId, userId: String(member.number) } })) === null) return
    onRemoved()
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title={`Remove ${member.email}`}>
      <Stack gap="sm">
        <Text size="sm">
          They lose every project of the organization at once, their keys too. What they made stays. Another invitation
          brings them back.
        </Text>
        <Problem of={problem} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red" loading={isChanging} onClick={() => void remove()}>
            Remove
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
