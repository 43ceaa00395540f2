import type { Run } from "./drawable"
import { writeNumber } from "./numbers"

/** A run that is not over: its state, and a bar as far as the engine can tell. */
export function RunProgress({ run }: { readonly run: Run }) {
  const { progress } = run
  const fault = run.error?.message ?? run.errorMessage
  const read = progress?.rowsRead === undefined ? "" : `${writeNumber(progress.rowsRead)} rows read`
  return (
    <div className="progress">
      <strong>{run.state}</strong>
      <progress
        max={100}
        value={progress?.percentage ?? (run.endedAt || fault ? 0 : undefined)}
        aria-label="Part of the rows that has been read"
      />
      <span className="hint">{fault ?? read}</span>
    </div>
  )
}
