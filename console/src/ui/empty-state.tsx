import { Stack, Text, Title } from "@mantine/core"
import type { ReactNode } from "react"

interface EmptyStateProps {
  readonly title: string
  /** What to do next, in a sentence. */
  readonly hint: ReactNode
  /** A button or link that does it. */
  readonly action?: ReactNode
}

/** In the place of a list that has nothing: what is missing and the next step. */
export function EmptyState({ title, hint, action }: EmptyStateProps) {
  return (
    <Stack className="empty-state" align="center" gap="xs" py={48} px="md">
      <Title order={2} size="h5">
        {title}
      </Title>
      <Text size="sm" c="dimmed" ta="center" maw={440}>
        {hint}
      </Text>
      {action}
    </Stack>
  )
}
