import { Button, Modal, Stack, Text, TextInput } from "@mantine/core"
import { useNavigate } from "@tanstack/react-router"
import { type SubmitEvent, useState } from "react"
import type { FlagQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Problem } from "../../ui/problem"
import { useChange } from "../../ui/use-change"
import { UPDATE_FLAG } from "./flags.queries"
import { KeyField } from "./key-field"

interface RenameDialogProps {
  readonly flag: Pick<NonNullable<FlagQuery["featureFlag"]>, "number" | "version" | "key" | "name">
  readonly onClose: () => void
}

/** Changes what code asks a flag by and what people read of it, and leads to its page by the new key. */
export function RenameDialog({ flag, onClose }: RenameDialogProps) {
  const project = useProject()
  const navigate = useNavigate({ from: "/project/$project/flags/$key" })
  const [key, setKey] = useState(flag.key)
  const [name, setName] = useState(flag.name)
  const { change, isChanging, problem } = useChange(UPDATE_FLAG, ({ updateFeatureFlag }) => updateFeatureFlag)
  const rename = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const { number, version } = flag
    if ((await change({ input: { projectId: project.id, id: String(number), version, key, name } })) === null) return
    onClose()
    await navigate({ params: { key }, search: (old) => old, replace: true })
  }
  return (
    <Modal opened onClose={onClose} title={`Rename ${flag.key}`}>
      <form onSubmit={(event) => void rename(event)}>
        <Stack gap="sm">
          <KeyField value={key} onChange={setKey} />
          {key !== flag.key && (
            <Text size="sm" role="status">
              {`Code that asks for ${flag.key} gets no flag from then on, and who is in a share is drawn anew.`}
            </Text>
          )}
          <TextInput label="Description" value={name} onChange={({ currentTarget: { value } }) => setName(value)} />
          <Problem of={problem} />
          <Button type="submit" loading={isChanging} style={{ alignSelf: "flex-end" }}>
            Save
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
