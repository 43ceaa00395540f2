import { Group, Stack, Title } from "@mantine/core"
import type { ReactNode } from "react"

interface PageProps {
  readonly title: string
  /** Buttons at the end of the line of the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A screen: its title, which is also the tab's, its buttons and its contents. */
export function Page({ title, actions, children }: PageProps) {
  return (
    <Stack gap="md" className="page">
      <title>{`${title} · Waymark`}</title>
      <Group justify="space-between" gap="sm" mih={36}>
        <Title order={1} size="h3">
          {title}
        </Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
}
