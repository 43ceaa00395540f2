import { Button } from "@mantine/core"
import { Icon } from "./icon"

interface AddButtonProps {
  readonly children: string
  readonly onClick: () => void
}

/** Adds one more to a list of fields; it stands behind the last. */
export const AddButton = ({ children, onClick }: AddButtonProps) => (
  <Button
    variant="subtle"
    color="gray"
    size="compact-xs"
    leftSection={<Icon name="plus" size={14} />}
    style={{ alignSelf: "flex-start" }}
    onClick={onClick}
  >
    {children}
  </Button>
)
