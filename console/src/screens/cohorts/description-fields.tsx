import { Textarea, TextInput } from "@mantine/core"
import type { Description } from "../../ui/save-dialog"

interface DescriptionFieldsProps {
  readonly described: Description
  readonly onChange: (described: Description) => void
}

/** The name of a cohort, and what people say about it. */
export function DescriptionFields({ described, onChange }: DescriptionFieldsProps) {
  return (
    <>
      <TextInput
        label="Name"
        required
        maw={420}
        value={described.name}
        onChange={({ currentTarget: { value } }) => onChange({ ...described, name: value })}
      />
      <Textarea
        label="Description"
        autosize
        maw={560}
        value={described.description}
        onChange={({ currentTarget: { value } }) => onChange({ ...described, description: value })}
      />
    </>
  )
}
