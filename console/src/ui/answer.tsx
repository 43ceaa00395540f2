import { Skeleton, Stack } from "@mantine/core"
import type { ReactNode } from "react"
import type { UseQueryResponse } from "urql"
import { Failure } from "./failure"

interface AnswerProps<Data> {
  /** What `useQuery` gave back. */
  readonly of: UseQueryResponse<Data>
  /** What is shown while nothing has come yet; a few grey lines when absent. */
  readonly skeleton?: ReactNode
  readonly children: (data: Data) => ReactNode
}

/** What a query answered: grey lines before it has come, a failure with its way out, else what is made of the data. */
export function Answer<Data>({ of: [{ data, error, fetching }, ask], skeleton, children }: AnswerProps<Data>) {
  if (data !== undefined && data !== null && error === undefined) return children(data)
  if (fetching || error === undefined) return skeleton ?? <Lines />
  return <Failure of={error} onRetry={() => ask({ requestPolicy: "network-only" })} />
}

/** Grey lines in the place of a text or of rows to come. */
export function Lines({ count = 6 }: { readonly count?: number }) {
  return (
    <Stack gap="xs" role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: count }, (_, line) => `line ${line}`).map((line) => (
        <Skeleton key={line} height={28} />
      ))}
    </Stack>
  )
}
