import type { IncomingMessage } from "node:http"
import type { FlagStreamEndpoint } from "../features/flags/index.js"
import { repeatFrom } from "../transport/realtime/repeat-from.js"
import type { ServerSentEvent } from "../transport/realtime/server-sent-events.js"
import { holdUntilEnd, type StreamPermits } from "../transport/stream-permits.js"
import { readSenderIp } from "../transport/wire/client-ip.js"

/** Opens revisions of flags as server-sent events, which hold a permit of their project. */
export const openFlagEvents =
  (flagStream: FlagStreamEndpoint, permits: StreamPermits, trustProxyHops: number) =>
  async (query: URLSearchParams, request: IncomingMessage): Promise<AsyncIterableIterator<ServerSentEvent>> => {
    const { projectId, revisions } = await flagStream(query, readSenderIp(request, trustProxyHops))
    const held = await holdUntilEnd(revisions, [projectId], permits)
    return repeatFrom(held, async (push) => {
      for (let next = await held.next(); !next.done; next = await held.next()) {
        const { revision, version } = next.value
        await push({ id: revision, event: "flags", data: { revision, version }, isLast: false })
      }
    })
  }
