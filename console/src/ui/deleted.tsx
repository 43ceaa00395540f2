import { Button } from "@mantine/core"
import { EmptyState } from "./empty-state"
import { Problem } from "./problem"

interface DeletedProps {
  /** What it was, as in "this insight". */
  readonly what: string
  readonly onRestore: () => void
  /** Why it could not be brought back, in a sentence; null when nothing is known of that. */
  readonly problem: string | null
}

/** In the place of what was just deleted: the way back. */
export function Deleted({ what, onRestore, problem }: DeletedProps) {
  return (
    <EmptyState
      title={`This ${what} is deleted`}
      hint="Nobody finds it any more. It can be brought back as it was."
      action={
        <>
          <Problem of={problem} />
          <Button onClick={onRestore}>Restore</Button>
        </>
      }
    />
  )
}
