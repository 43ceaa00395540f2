import { setTimeout as pause } from "node:timers/promises"

/** Waits until ingestion has stored all that was accepted; answers how many seconds that took. */
export async function waitUntilDrained(url: string, withinMs = 300_000): Promise<number> {
  const askedAt = new Date().toISOString()
  const startedAt = performance.now()
  while (performance.now() - startedAt < withinMs) {
    const { ingestion } = (await (await fetch(`${url}/_readyz`)).json()) as {
      ingestion: { accepted: number; stored: number; measured_at: string }
    }
    if (ingestion.measured_at > askedAt && ingestion.stored >= ingestion.accepted) {
      return (performance.now() - startedAt) / 1000
    }
    await pause(100)
  }
  throw new Error(`ingestion had not drained after ${withinMs} ms`)
}
