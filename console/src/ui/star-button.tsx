import { ActionIcon } from "@mantine/core"
import { Icon } from "./icon"

interface StarButtonProps {
  /** What the star says of a record: "Favourite", "Pinned". */
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

/** The star of a record, yellow while it is on. */
export function StarButton({ label, isOn, onChange }: StarButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color={isOn ? "yellow" : "gray"}
      aria-label={label}
      aria-pressed={isOn}
      onClick={() => onChange(!isOn)}
    >
      <Icon name="star" />
    </ActionIcon>
  )
}
