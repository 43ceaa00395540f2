import type { IncomingMessage } from "node:http"
import type { FlagStreamEndpoint, RulesRevision } from "../features/flags/index.js"
import { type Stream, streamUntilLeft } from "../kernel/stream-until-left.js"
import type { ServerSentEvent } from "../transport/realtime/server-sent-events.js"
import { holdUntilLeft, type StreamPermits } from "../transport/stream-permits.js"
import { readSenderIp } from "../transport/wire/client-ip.js"

/** Opens revisions of flags as server-sent events, which hold a permit of their project. */
export const openFlagEvents =
  (flagStream: FlagStreamEndpoint, permits: StreamPermits, trustProxyHops: number) =>
  async (query: URLSearchParams, request: IncomingMessage): Promise<Stream<ServerSentEvent>> => {
    const { projectId, revisions } = await flagStream(query, readSenderIp(request, trustProxyHops))
    const leave = await holdUntilLeft(revisions, [projectId], permits)
    return streamUntilLeft(toEvents(revisions), leave)
  }

async function* toEvents(revisions: AsyncIterable<RulesRevision>): AsyncGenerator<ServerSentEvent> {
  for await (const { revision, version } of revisions)
    yield { id: revision, event: "flags", data: { revision, version }, isLast: false }
}
