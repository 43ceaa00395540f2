import { Fieldset, Stack, Text } from "@mantine/core"
import type { ReactNode } from "react"

interface AdminFieldsetProps {
  readonly mayChange: boolean
  /** In pixels. */
  readonly width: number
  readonly children: ReactNode
}

/** Settings that admins and owners change, and all others read. */
export const AdminFieldset = ({ mayChange, width, children }: AdminFieldsetProps) => (
  <Fieldset variant="unstyled" disabled={!mayChange} maw={width}>
    <Stack gap="xl">
      {!mayChange && <Text size="sm">Admins and owners of the organization change these.</Text>}
      {children}
    </Stack>
  </Fieldset>
)
