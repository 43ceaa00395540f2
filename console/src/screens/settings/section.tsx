import { Stack, Text, Title } from "@mantine/core"
import type { ReactNode } from "react"

interface SectionProps {
  readonly title: string
  /** What it is for, in a sentence. */
  readonly note?: string
  readonly children: ReactNode
}

/** A part of a page of the settings under its heading. */
export const Section = ({ title, note, children }: SectionProps) => (
  <section>
    <Title order={2} size="h5" mb={4}>
      {title}
    </Title>
    {note !== undefined && (
      <Text size="sm" c="dimmed" mb="xs">
        {note}
      </Text>
    )}
    <Stack gap="md">{children}</Stack>
  </section>
)
