import { Alert } from "@mantine/core"

/** Why a change was not made, in a sentence; nothing when it was. */
export const Problem = ({ of }: { readonly of: string | null }) =>
  of !== null && (
    <Alert color="red" role="alert">
      {of}
    </Alert>
  )
