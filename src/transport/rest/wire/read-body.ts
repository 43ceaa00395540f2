import type { IncomingMessage } from "node:http"
import { AppError } from "../../../kernel/errors.js"
import { bodyTooLarge } from "./faults.js"

const NO_BODY = Buffer.alloc(0)

/**
 * Reads a request body of at most `maxWireBytes` (bytes as they arrive, before decompression).
 *
 * A larger body is read and thrown away up to one extra `maxWireBytes`, so that a client that is still sending reads its
 * 413 on a usable connection (`capture.md` 1.7); what claims or grows to more than that is not read any further. A caller
 * that catches the fault while `request.complete` is false must therefore answer with `Connection: close`.
 * How long a slow body may take is the server's `requestTimeout`; when that ends the connection, this rejects.
 *
 * @throws AppError payload_too_large, or malformed_data when the client went away in the middle of the body.
 */
export function readBody(request: IncomingMessage, limits: { readonly maxWireBytes: number }): Promise<Buffer> {
  const { maxWireBytes } = limits
  const declaredBytes = declaredLength(request)
  if (declaredBytes === 0) return Promise.resolve(NO_BODY)
  if (declaredBytes !== null && declaredBytes > 2 * maxWireBytes) return Promise.reject(bodyTooLarge(maxWireBytes))
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let receivedBytes = 0
    const onData = (chunk: Buffer): void => {
      receivedBytes += chunk.length
      if (receivedBytes <= maxWireBytes) {
        chunks.push(chunk)
        return
      }
      chunks = []
      if (receivedBytes <= 2 * maxWireBytes) return
      request.off("data", onData)
      request.pause()
      reject(bodyTooLarge(maxWireBytes))
    }
    request.on("data", onData)
    let hasEnded = false
    request.once("end", () => {
      hasEnded = true
      if (receivedBytes > maxWireBytes) reject(bodyTooLarge(maxWireBytes))
      else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, receivedBytes))
    })
    // Every request is closed some time, nearly always after its end; an error is made only when somebody is to hear of it.
    const onLost = (): void => {
      if (!hasEnded) reject(new AppError("malformed_data", { detail: "The request body ended too early." }))
    }
    request.on("error", onLost)
    request.once("close", onLost)
  })
}

/** Bytes that the head announces: 0 without any body, null when it is sent in chunks of unknown number. */
function declaredLength(request: IncomingMessage): number | null {
  const length = request.headers["content-length"]
  if (length !== undefined) return Number(length)
  return request.headers["transfer-encoding"] === undefined ? 0 : null
}
