import { once } from "node:events"
import type { ServerResponse } from "node:http"

/** An answer that is sent while it is made. */
export interface StreamedReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly pieces: AsyncIterable<string | Uint8Array>
  /** What is known only at the end; sent as trailers, whose names `headers.Trailer` must announce. */
  readonly trailers: () => Readonly<Record<string, string>>
}

/**
 * Sends the pieces at the pace at which the client reads. An answer that fails half-way is broken off, never ended well:
 * the client must not take a part for the whole.
 */
export async function sendPieces(response: ServerResponse, reply: StreamedReply, signal: AbortSignal): Promise<void> {
  try {
    response.writeHead(reply.status, { ...reply.headers })
    for await (const piece of reply.pieces) {
      if (signal.aborted) break
      if (!response.write(piece)) await once(response, "drain", { signal })
    }
    if (signal.aborted) return void response.destroy()
    response.addTrailers({ ...reply.trailers() })
    response.end()
  } catch (failure) {
    response.destroy()
    if (!signal.aborted) throw failure
  }
}
