import { Group, TextInput } from "@mantine/core"

interface ParametersProps {
  readonly names: readonly string[]
  /** What is written for them, by name. */
  readonly values: Readonly<Record<string, string>>
  readonly onChange: (values: Readonly<Record<string, string>>) => void
}

/** A field for each parameter of the text: whole JSON values are taken as such, anything else as text. */
export function Parameters({ names, values, onChange }: ParametersProps) {
  if (names.length === 0) return null
  return (
    <Group gap="sm" component="fieldset" className="parameters" aria-label="Parameters">
      {names.map((name) => (
        <TextInput
          key={name}
          label={name}
          placeholder="Text, number or JSON"
          defaultValue={values[name]}
          onChange={({ currentTarget: { value } }) => onChange({ ...values, [name]: value })}
        />
      ))}
    </Group>
  )
}
