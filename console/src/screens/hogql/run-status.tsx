import { Text } from "@mantine/core"
import { writeDuration, writeNumber } from "../../pictures/numbers"
import { Problem } from "../../ui/problem"
import type { HogqlResult, Progress, Run } from "./run"

const writeSeconds = (seconds: number): string =>
  seconds < 1 ? `${Math.round(seconds * 1000)} ms` : writeDuration(seconds)

function describeRows({ rows, hasMore, timings }: HogqlResult): string {
  const seconds = timings.reduce((sum, timing) => sum + timing.seconds, 0)
  const count = `${writeNumber(rows.length)} ${rows.length === 1 ? "row" : "rows"} in ${writeSeconds(seconds)}`
  return hasMore ? `${count}. There are more: LIMIT takes up to 50,000.` : count
}

/** Where a run stands: how far it is, what it came to, or why it came to nothing. */
export function RunStatus({ run: { result, progress, fault, isCancelled } }: { readonly run: Run }) {
  if (fault !== null) return <Problem of={fault.message} />
  return (
    <div className="run-status" role="status">
      {progress !== null ? (
        <Going progress={progress} />
      ) : (
        <Text size="xs" c="dimmed">
          {isCancelled ? "Cancelled." : result === null ? "" : describeRows(result)}
        </Text>
      )}
      {progress === null &&
        result?.warnings.map((warning) => (
          <Text key={warning} size="xs">
            {warning}
          </Text>
        ))}
    </div>
  )
}

function Going({ progress: { percentage, rowsRead, elapsedMs } }: { readonly progress: Progress }) {
  const known = [
    percentage === null ? "" : `${Math.round(percentage)} %`,
    rowsRead === 0 ? "" : `${writeNumber(rowsRead)} rows read`,
    elapsedMs === 0 ? "" : writeSeconds(elapsedMs / 1000),
  ].filter((part) => part !== "")
  return (
    <>
      <progress aria-label="Part of the rows that has been read" max={100} value={percentage ?? undefined} />
      <Text size="xs" c="dimmed">
        {known.length === 0 ? "Running" : known.join(", ")}
      </Text>
    </>
  )
}
