import { Button, Group, Modal, Stack, TextInput } from "@mantine/core"
import { useNavigate } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { useProject } from "../../project/project"
import { Problem } from "../../ui/problem"
import { useChange } from "../../ui/use-change"
import { CREATE_FLAG } from "./flags.queries"
import { KeyField } from "./key-field"

interface NewFlagProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Asks for the key of a new flag, which is off until somebody switches it on, and leads to its page. */
export function NewFlag({ isOpen, onClose }: NewFlagProps) {
  const project = useProject()
  const navigate = useNavigate({ from: "/project/$project/flags" })
  const [key, setKey] = useState("")
  const [name, setName] = useState("")
  const { change, isChanging, problem } = useChange(CREATE_FLAG, ({ createFeatureFlag }) => createFeatureFlag)
  const make = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const input = {
      projectId: project.id,
      key,
      name,
      active: false,
      filters: { conditions: [{ rolloutPercentage: 0 }] },
    }
    const made = await change({ input })
    if (made !== null) await navigate({ to: "/project/$project/flags/$key", params: { key } })
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title="New flag">
      <form onSubmit={(event) => void make(event)}>
        <Stack gap="sm">
          <KeyField value={key} onChange={setKey} />
          <TextInput label="Description" value={name} onChange={({ currentTarget: { value } }) => setName(value)} />
          <Problem of={problem} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isChanging}>
              Make the flag
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
