import { Alert, Button, Modal, Stack, Textarea, TextInput } from "@mantine/core"
import { type SubmitEvent, useState } from "react"

/** What people say about an insight or a dashboard. */
export interface Description {
  readonly name: string
  readonly description: string
}

interface SaveDialogProps {
  readonly title: string
  readonly described: Description
  /** Why it was not saved, in a sentence; null when it was. */
  readonly onSave: (description: Description) => Promise<string | null>
  readonly onClose: () => void
}

/** Asks for a name and a description, and saves with them. */
export function SaveDialog({ title, described, onSave, onClose }: SaveDialogProps) {
  const [name, setName] = useState(described.name)
  const [description, setDescription] = useState(described.description)
  const [isSaving, setSaving] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    setSaving(true)
    const found = await onSave({ name: name.trim(), description: description.trim() })
    setSaving(false)
    setRefusal(found)
    if (found === null) onClose()
  }
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={(event) => void submit(event)}>
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
          {refusal !== null && (
            <Alert color="red" role="alert">
              {refusal}
            </Alert>
          )}
          <Button type="submit" loading={isSaving} style={{ alignSelf: "flex-end" }}>
            Save
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
