import { Text } from "@mantine/core"
import { writeDuration } from "../pictures/numbers"
import { ValueBars } from "../pictures/value-bars"

interface TimeToConvertProps {
  readonly time: {
    readonly averageSeconds: number | null
    readonly bins: readonly { readonly fromSeconds: number; readonly count: number }[]
  }
}

/** How long people took from the first step of a funnel to the last, as a bar for each span of time. */
export function TimeToConvert({ time: { averageSeconds, bins } }: TimeToConvertProps) {
  return (
    <>
      {averageSeconds !== null && <Text size="sm">On average {writeDuration(averageSeconds)} from first to last.</Text>}
      <ValueBars
        values={bins.map(({ fromSeconds, count }) => ({ name: `from ${writeDuration(fromSeconds)}`, value: count }))}
      />
    </>
  )
}
