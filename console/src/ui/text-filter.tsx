import { TextInput } from "@mantine/core"
import { useDebouncedCallback } from "@mantine/hooks"

/** Within this time after a letter the next one is likely to come. */
const TYPING_MS = 200

interface TextFilterProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string | undefined
  readonly width?: number
  /** Takes the text when somebody stops typing or leaves the field; absent when there is none. */
  readonly onChange: (text: string | undefined) => void
}

/** A text that narrows what is shown. What it changes is asked and drawn once, not again for each letter. */
export function TextFilter({ label, placeholder, value, width, onChange }: TextFilterProps) {
  const tell = useDebouncedCallback(onChange, TYPING_MS)
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      {...(width === undefined ? {} : { w: width })}
      maw="100%"
      defaultValue={value}
      onChange={({ currentTarget }) => tell(currentTarget.value || undefined)}
      onBlur={() => tell.flush()}
    />
  )
}
