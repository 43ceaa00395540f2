import { Button } from "@mantine/core"
import { EmptyState } from "./empty-state"

interface DeletedProps {
  /** What it was, as in "this insight". */
  readonly what: string
  readonly onRestore: () => void
}

/** In the place of what was just deleted: the way back. */
export function Deleted({ what, onRestore }: DeletedProps) {
  return (
    <EmptyState
      title={`This ${what} is deleted`}
      hint="Nobody finds it any more. It can be brought back as it was."
      action={<Button onClick={onRestore}>Restore</Button>}
    />
  )
}
