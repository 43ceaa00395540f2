import type { IncomingMessage } from "node:http"
import { AppError } from "../../kernel/errors.js"
import { bodyTooLarge } from "./faults.js"

const NO_BODY = Buffer.alloc(0)

/** What a request holds in memory is counted by it (`ByteLease`). @throws AppError overloaded. */
export type HoldBytes = (bytes: number) => void

/** `receiveBody` as a promise. */
export const readBody = (request: IncomingMessage, maxBytes: number, hold: HoldBytes): Promise<Buffer> =>
  new Promise((resolve, reject) => receiveBody(request, { maxBytes, hold }, resolve, reject))

/**
 * The body of a request as it arrives. Throws payload_too_large, or malformed_data when the client went away; whoever stops
 * reading can still answer.
 */
export async function* readChunks(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  let receivedBytes = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      receivedBytes += chunk.length
      if (receivedBytes > maxBytes) throw bodyTooLarge(maxBytes)
      yield chunk
    }
  } catch (fault) {
    throw fault instanceof AppError ? fault : endedEarly()
  }
}

/**
 * Reads a request body and hands it to `onBody`, or a fault to `onFault`: payload_too_large, or malformed_data when the
 * client went away in the middle of the body, or what `hold` throws for a chunk. Calls one of them, once.
 *
 * A larger body is read and thrown away up to one extra `maxBytes`, so that a client that is still sending reads its
 * 413 on a usable connection (`docs/contract/capture.md#size-limits`); what claims or grows to more than that is not
 * read any further. Whoever gets the fault while `request.complete` is false must therefore answer with
 * `Connection: close`. How long a slow body may take is the server's `requestTimeout`; when that ends the connection,
 * this is a fault too.
 */
export function receiveBody(
  request: IncomingMessage,
  { maxBytes, hold }: { readonly maxBytes: number; readonly hold: HoldBytes },
  onBody: (body: Buffer) => void,
  onFault: (fault: unknown) => void,
): void {
  const declaredBytes = declaredLength(request)
  if (declaredBytes === 0) return void onBody(NO_BODY)
  if (declaredBytes !== null && declaredBytes > 2 * maxBytes) return void onFault(bodyTooLarge(maxBytes))
  let chunks: Buffer[] = []
  let receivedBytes = 0
  let isOver = false
  const stop = (fault: unknown): void => {
    isOver = true
    chunks = []
    request.off("data", onData)
    request.pause()
    onFault(fault)
  }
  const onData = (chunk: Buffer): void => {
    receivedBytes += chunk.length
    if (receivedBytes > maxBytes) {
      chunks = []
      if (receivedBytes > 2 * maxBytes) stop(bodyTooLarge(maxBytes))
      return
    }
    try {
      hold(chunk.length)
      chunks.push(chunk)
    } catch (fault) {
      stop(fault)
    }
  }
  request.on("data", onData)
  request.on("end", () => {
    if (isOver) return
    isOver = true
    if (receivedBytes > maxBytes) onFault(bodyTooLarge(maxBytes))
    else onBody(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, receivedBytes))
  })
  // Every request is closed some time, nearly always after its end. What broke it is not told by an event of its own: the
  // stream of a request reports errors only to those who ask for them.
  request.on("close", () => {
    if (isOver) return
    isOver = true
    onFault(endedEarly())
  })
}

const endedEarly = (): AppError => new AppError("malformed_data", { detail: "The request body ended too early." })

/** Bytes that the head announces: 0 without any body, null when it is sent in chunks of unknown number. */
function declaredLength(request: IncomingMessage): number | null {
  const length = request.headers["content-length"]
  if (length !== undefined) return Number(length)
  return request.headers["transfer-encoding"] === undefined ? 0 : null
}
