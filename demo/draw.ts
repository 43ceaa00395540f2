const BAR_WIDTH = 40

/** One line that grows in a terminal; every tenth step where the output is a file. */
export function drawProgress(what: string, done: number, total: number): void {
  const filled = Math.round((done / total) * BAR_WIDTH)
  const bar = `${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)}`
  const line = `${what} ${bar} ${done.toLocaleString("en")} of ${total.toLocaleString("en")}`
  if (process.stdout.isTTY) process.stdout.write(`\r${line}${done === total ? "\n" : ""}`)
  else if (done === total || done % 5000 === 0) process.stdout.write(`${line}\n`)
}

/** Horizontal bars, one a row, scaled to the largest value. */
export function drawBars(title: string, rows: readonly { label: string; value: number; note?: string }[]): void {
  const largest = Math.max(1, ...rows.map(({ value }) => value))
  const labelWidth = Math.max(...rows.map(({ label }) => label.length))
  process.stdout.write(`\n${title}\n`)
  for (const { label, value, note } of rows) {
    const bar = "█".repeat(Math.max(value > 0 ? 1 : 0, Math.round((value / largest) * BAR_WIDTH)))
    process.stdout.write(
      `  ${label.padEnd(labelWidth)} ${bar} ${value.toLocaleString("en")}${note ? `  ${note}` : ""}\n`,
    )
  }
}
