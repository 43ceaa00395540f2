import { Button, Checkbox, List, Modal, Stack, Text } from "@mantine/core"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import type { PersonQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Problem } from "../../ui/problem"
import { useChange } from "../../ui/use-change"
import { DELETE_PERSON } from "./persons.queries"

interface DeletePersonProps {
  readonly person: NonNullable<PersonQuery["person"]>
  readonly onClose: () => void
}

/** Says what the deletion of a person removes, and makes it; then the list is shown. */
export function DeletePerson({ person, onClose }: DeletePersonProps) {
  const { id: projectId } = useProject()
  const navigate = useNavigate({ from: "/project/$project/persons/$person" })
  const [deleteEvents, setDeleteEvents] = useState(false)
  const [deleteRecordings, setDeleteRecordings] = useState(false)
  const { change, isChanging, problem } = useChange(DELETE_PERSON, ({ deletePerson }) => deletePerson)
  const remove = async (): Promise<void> => {
    const deleted = await change({ input: { projectId, id: person.uuid, deleteEvents, deleteRecordings } })
    if (deleted !== null) await navigate({ to: "/project/$project/persons" })
  }
  const ids = person.distinctIds
  return (
    <Modal opened onClose={onClose} title={`Delete ${person.name}`}>
      <Stack gap="sm">
        <Text size="sm">This cannot be undone. It removes:</Text>
        <List size="sm">
          <List.Item>the person with all properties</List.Item>
          <List.Item>{ids.length === 1 ? "the distinct id" : `${ids.length.toLocaleString()} distinct ids`}</List.Item>
          <List.Item>its place in every cohort</List.Item>
          <List.Item>its names in conditions that name it</List.Item>
        </List>
        <Checkbox
          label="All events of the person too"
          description="Numbers of insights change by it."
          checked={deleteEvents}
          onChange={({ currentTarget: { checked } }) => setDeleteEvents(checked)}
        />
        <Checkbox
          label="All recordings of the person too"
          checked={deleteRecordings}
          onChange={({ currentTarget: { checked } }) => setDeleteRecordings(checked)}
        />
        <Problem of={problem} />
        <Button color="red" loading={isChanging} style={{ alignSelf: "flex-end" }} onClick={() => void remove()}>
          Delete for good
        </Button>
      </Stack>
    </Modal>
  )
}
