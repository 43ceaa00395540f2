import { Group, Stack, Text } from "@mantine/core"
import type { ReactNode } from "react"
import { VerifiedMark } from "../../ui/verified-mark"
import type { Definition } from "./use-definitions-of"

interface DefinitionCellProps {
  readonly definition: Definition | undefined
  /** The name, or a link of it. */
  readonly children: ReactNode
}

/** A name with what is said of it below. */
export const DefinitionCell = ({ definition, children }: DefinitionCellProps) => (
  <Stack gap={0} maw={420}>
    <Group gap={4} wrap="nowrap">
      {children}
      {definition?.isVerified === true && <VerifiedMark />}
    </Group>
    {definition !== undefined && (definition.description !== "" || definition.tags.length > 0) && (
      <Text size="xs" c="dimmed" truncate>
        {[definition.description, ...definition.tags.map((tag) => `#${tag}`)].filter((text) => text !== "").join(" ")}
      </Text>
    )}
  </Stack>
)
