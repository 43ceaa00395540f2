import { Group, Stack, Text } from "@mantine/core"
import type { ReactNode } from "react"
import { VerifiedMark } from "../../ui/verified-mark"
import type { Said } from "./use-said"

interface SaidCellProps {
  readonly said: Said | undefined
  /** The name, or a link of it. */
  readonly children: ReactNode
}

/** A name with what is said of it below. */
export const SaidCell = ({ said, children }: SaidCellProps) => (
  <Stack gap={0} maw={420}>
    <Group gap={4} wrap="nowrap">
      {children}
      {said?.isVerified === true && <VerifiedMark />}
    </Group>
    {said !== undefined && (said.description !== "" || said.tags.length > 0) && (
      <Text size="xs" c="dimmed" truncate>
        {[said.description, ...said.tags.map((tag) => `#${tag}`)].filter((text) => text !== "").join(" ")}
      </Text>
    )}
  </Stack>
)
