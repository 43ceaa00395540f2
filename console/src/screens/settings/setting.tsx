import { Button, Group, Stack, Text } from "@mantine/core"
import { type ReactNode, type SubmitEvent, useState } from "react"
import type { UpdateProjectInput } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { useChange } from "../../ui/use-change"
import { UPDATE_PROJECT } from "./settings.queries"

/** What an input needs of the setting that it shows. */
export interface SettingField<Value> {
  readonly value: Value
  readonly onChange: (value: Value) => void
  /** Why it was not saved. */
  readonly error: string | null
}

interface SettingProps<Value> {
  /** As it is stored. */
  readonly stored: Value
  /** What saving it changes. */
  readonly toInput: (value: Value) => UpdateProjectInput
  readonly children: (field: SettingField<Value>) => ReactNode
}

/** One setting of the project, which is saved on its own; a refusal stands at it. */
export function Setting<Value>({ stored, toInput, children }: SettingProps<Value>) {
  const { id: projectId } = useProject()
  const [kept, setKept] = useState(stored)
  const [value, setValue] = useState(stored)
  const [isSaved, setSaved] = useState(false)
  const { change, isChanging, problem } = useChange(UPDATE_PROJECT, ({ updateProject }) => updateProject)
  const save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const made = await change({ input: { projectId, ...toInput(value) } })
    if (made === null) return
    setKept(value)
    setSaved(true)
  }
  const onChange = (next: Value): void => {
    setValue(next)
    setSaved(false)
  }
  return (
    <form onSubmit={(event) => void save(event)}>
      <Stack gap={6}>
        {children({ value, onChange, error: problem })}
        {value !== kept && (
          <Group gap="xs">
            <Button type="submit" loading={isChanging}>
              Save
            </Button>
            <Button variant="default" onClick={() => onChange(kept)}>
              Leave it as it was
            </Button>
          </Group>
        )}
        {isSaved && (
          <Text size="xs" c="dimmed" role="status">
            Saved
          </Text>
        )}
      </Stack>
    </form>
  )
}
