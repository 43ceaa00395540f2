import { open } from "node:fs/promises"
import type { Progress } from "../../platform/progress/progress.js"
import type { Ledger } from "../ledger.js"
import type { Posthog } from "../wire/posthog.js"
import type { EventsLedger } from "./import-events.js"

export interface EventDownload {
  readonly posthog: Posthog
  /** Times that the events are after and before; undefined for all. */
  readonly after: string | undefined
  readonly before: string | undefined
  readonly ledger: Ledger<EventsLedger>
  readonly progress: Progress
}

/**
 * Downloads events from the events API into a file, one object a line, page by page: the API has the newest first, and
 * they are sent in order of time. Run again, it goes on with the page that was next.
 * @throws StartupError when PostHog refuses or is away for long.
 */
export async function downloadEvents(download: EventDownload, path: string): Promise<void> {
  const { posthog, ledger, progress } = download
  const done = ledger.state.download ?? { next: posthog.firstPageOfEvents(download), bytes: 0 }
  const file = await open(path, "a", 0o600)
  try {
    // What a killed run wrote of a page that it did not finish.
    await file.truncate(done.bytes)
    let { bytes } = done
    for (let url = done.next; url !== null; ) {
      const { records, next } = await posthog.readPage(url)
      const { bytesWritten } = await file.write(records.map((record) => `${JSON.stringify(record)}\n`).join(""))
      bytes += bytesWritten
      await file.datasync()
      await ledger.keep({ download: { next, bytes } })
      progress.show(`Downloading, newest first: ${String(records.at(-1)?.timestamp ?? "the last page")}`)
      url = next
    }
  } finally {
    await file.close()
  }
}
