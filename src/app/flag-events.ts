import type { FlagStreamEndpoint } from "../features/flags/index.js"
import { repeatFrom } from "../transport/realtime/repeat-from.js"
import type { ServerSentEvent } from "../transport/realtime/server-sent-events.js"

type Revisions = Awaited<ReturnType<FlagStreamEndpoint>>

/** Revisions of flags as server-sent events. */
export const toFlagEvents = (revisions: Revisions): AsyncIterableIterator<ServerSentEvent> =>
  repeatFrom(revisions, async (push) => {
    for await (const { revision, version } of revisions)
      await push({ id: revision, event: "flags", data: { revision, version }, isLast: false })
  })
