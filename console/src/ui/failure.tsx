import { Alert, Button, Code, Stack, Text } from "@mantine/core"
import { CombinedError } from "urql"

interface FailureText {
  readonly title: string
  /** What a person can do about it. */
  readonly advice: string
}

const ADVICE: Readonly<Record<string, string>> = {
  UNAUTHENTICATED: "Sign in again.",
  FORBIDDEN: "Ask an administrator of your organization for the right to it.",
  NOT_FOUND: "It may have been deleted, or the address is of another project.",
  RATE_LIMITED: "Wait a minute, then try again.",
  OVERLOADED: "Wait a moment, then try again.",
  STORE_UNAVAILABLE: "A store of the server is away. Try again in a moment.",
  QUERY_TIMEOUT: "Ask for fewer days or fewer rows.",
}

/** What went wrong in a sentence, and what to do about it. */
export function describeFailure(failure: unknown): FailureText {
  if (!(failure instanceof CombinedError))
    return { title: "This page has a fault.", advice: "Reload it. If it happens again, tell us what is written below." }
  const [first] = failure.graphQLErrors
  if (first === undefined)
    return { title: "The server does not answer.", advice: "Check that it runs, then try again." }
  return { title: first.message, advice: ADVICE[String(first.extensions.code)] ?? "Try again." }
}

interface FailureProps {
  readonly of: unknown
  /** Asks again. */
  readonly onRetry: () => void
}

/** A failure in place of what was wanted: what it is, what to do, and a button that does it. */
export function Failure({ of, onRetry }: FailureProps) {
  const { title, advice } = describeFailure(of)
  return (
    <Alert color="red" title={title} role="alert" maw={640}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{advice}</Text>
        {of instanceof Error && !(of instanceof CombinedError) && <Code block>{of.message}</Code>}
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  )
}
