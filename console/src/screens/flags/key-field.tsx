import { TextInput } from "@mantine/core"

interface KeyFieldProps {
  readonly value: string
  readonly onChange: (key: string) => void
}

/** What code asks a flag by, in a dialog that begins with it. */
export const KeyField = ({ value, onChange }: KeyFieldProps) => (
  <TextInput
    label="Key"
    description="What code asks for: letters, digits, hyphens, underscores and dots."
    required
    data-autofocus
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)
