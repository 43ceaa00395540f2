import { Button, List, Modal, NativeSelect, Stack, Text } from "@mantine/core"
import { useState } from "react"
import type { PersonQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Problem } from "../../ui/problem"
import { useChange } from "../../ui/use-change"
import { SPLIT_PERSON } from "./persons.queries"

interface SplitPersonProps {
  readonly person: NonNullable<PersonQuery["person"]>
  readonly onClose: () => void
}

/** Says what undoing the merges of a person comes to, and does it. */
export function SplitPerson({ person, onClose }: SplitPersonProps) {
  const { id: projectId } = useProject()
  const ids = person.distinctIds
  const [mainDistinctId, setMain] = useState(ids[0] ?? "")
  const { change, isChanging, problem } = useChange(SPLIT_PERSON, ({ splitPerson }) => splitPerson)
  const split = async (): Promise<void> => {
    if ((await change({ input: { projectId, id: person.uuid, mainDistinctId } })) !== null) onClose()
  }
  const others = ids.length - 1
  return (
    <Modal opened onClose={onClose} title={`Split ${person.name}`}>
      <Stack gap="sm">
        <NativeSelect
          label="Distinct id that stays"
          data={[...ids]}
          value={mainDistinctId}
          onChange={({ currentTarget: { value } }) => setMain(value)}
        />
        <List size="sm">
          <List.Item>The person keeps this id, and all properties.</List.Item>
          <List.Item>
            {others === 1
              ? "The other id gets a new person without properties."
              : `Each of the ${others.toLocaleString()} other ids gets a new person without properties.`}
          </List.Item>
          <List.Item>Events go to whom their distinct id belongs then. None is lost.</List.Item>
        </List>
        <Text size="sm">Identifying one of them as the other again merges them once more.</Text>
        <Problem of={problem} />
        <Button loading={isChanging} style={{ alignSelf: "flex-end" }} onClick={() => void split()}>
          Split
        </Button>
      </Stack>
    </Modal>
  )
}
