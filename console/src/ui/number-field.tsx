import { Text, TextInput } from "@mantine/core"
import { useState } from "react"

interface NumberFieldProps {
  readonly label: string
  /** Whether only those hear the label who do not see the page. */
  readonly isLabelHidden?: boolean
  readonly value: number
  readonly min: number
  readonly max: number
  /** What values are multiples of; 1 unless told, `"any"` for every number. */
  readonly step?: number | "any"
  /** Said behind the number. */
  readonly unit?: string
  readonly width?: number
  readonly onChange: (value: number) => void
}

/**
 * A number between two others, in the browser's own field: Mantine's is 13 K of scripts. What is typed is shown as it
 * is until the field is left; only what the field may hold is told.
 */
export function NumberField(props: NumberFieldProps) {
  const { label, isLabelHidden = false, value, unit, width, step = 1, onChange, ...rest } = props
  const [draft, setDraft] = useState<string>()
  return (
    <TextInput
      {...rest}
      {...(isLabelHidden ? { "aria-label": label } : { label })}
      type="number"
      step={step}
      required
      withAsterisk={false}
      {...(width === undefined ? {} : { w: width })}
      value={draft ?? value}
      rightSection={unit !== undefined && <Text size="sm">{unit}</Text>}
      onChange={({ currentTarget }) => {
        setDraft(currentTarget.value)
        if (currentTarget.validity.valid) onChange(currentTarget.valueAsNumber)
      }}
      onBlur={() => setDraft(undefined)}
    />
  )
}
