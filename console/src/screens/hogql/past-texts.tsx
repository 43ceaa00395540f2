import { Drawer, Stack, Text, UnstyledButton } from "@mantine/core"
import { EmptyState } from "../../ui/empty-state"
import { Time } from "../../ui/time"
import type { PastText } from "./use-past-texts"

interface PastTextsProps {
  readonly texts: readonly PastText[]
  readonly onChosen: (text: string) => void
  readonly onClose: () => void
}

/** The texts that were run in this browser, to be taken up again. */
export function PastTexts({ texts, onChosen, onClose }: PastTextsProps) {
  return (
    <Drawer opened onClose={onClose} title="History" position="right">
      {texts.length === 0 ? (
        <EmptyState title="Nothing was run yet" hint="What you run is kept here, in this browser alone." />
      ) : (
        <Stack gap={0}>
          {texts.map(({ text, at }) => (
            <UnstyledButton key={at} className="past-text" onClick={() => onChosen(text)}>
              <code>{text}</code>
              <Text size="xs" c="dimmed">
                <Time of={at} />
              </Text>
            </UnstyledButton>
          ))}
        </Stack>
      )}
    </Drawer>
  )
}
