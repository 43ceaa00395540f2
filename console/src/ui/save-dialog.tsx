import { Button, Modal, Stack, Textarea, TextInput } from "@mantine/core"
import { useState } from "react"
import { Problem } from "./problem"
import type { Change } from "./use-change"

/** What people say about what they keep. */
export interface Description {
  readonly name: string
  readonly description: string
}

interface SaveDialogProps {
  readonly title: string
  readonly described: Description
  /** What becomes of the saving. */
  readonly saving: Pick<Change<unknown, never>, "isChanging" | "problem">
  readonly onSave: (description: Description) => void
  readonly onClose: () => void
}

/** Asks for a name and a description to save with; whoever saves closes it. */
export function SaveDialog({ title, described, saving, onSave, onClose }: SaveDialogProps) {
  const [name, setName] = useState(described.name)
  const [description, setDescription] = useState(described.description)
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onSave({ name: name.trim(), description: description.trim() })
        }}
      >
        <Stack gap="sm">
          <TextInput
            label="Name"
            required
            data-autofocus
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
          <Textarea
            label="Description"
            autosize
            minRows={2}
            value={description}
            onChange={({ currentTarget: { value } }) => setDescription(value)}
          />
          <Problem of={saving.problem} />
          <Button type="submit" loading={saving.isChanging} style={{ alignSelf: "flex-end" }}>
            Save
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
