import { type RequestHandler, Router } from "express"
import { AppError } from "../kernel/errors.js"
import type { RateBudget } from "../platform/limits/rate-budget.js"
import { untilGone } from "./rest/run-stream.js"
import { readSenderIp } from "./wire/client-ip.js"
import { type OnDefect, toPublicFault } from "./wire/public-fault.js"
import { sendReply, toErrorReply } from "./wire/send-reply.js"
import { type StreamedReply, sendPieces } from "./wire/streamed-reply.js"

/** What is sent must be nobody else's: neither a cache's, nor of a page that is told where it came from. */
const PRIVATE = { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" }

/** Opens what a token is for. `signal` ends it. @throws AppError not_found for a token that is not good. */
export type OpenDownload = (token: string, signal: AbortSignal) => Promise<StreamedReply>

export interface ExportDownloadsOptions {
  readonly open: OpenDownload
  /** Aborts when the server stops. */
  readonly closing: AbortSignal
  /** Number of proxies in front whose `X-Forwarded-For` is believed. */
  readonly trustProxyHops: number
  /** Requests without a key, by address. */
  readonly keyless: Pick<RateBudget, "take">
  readonly onDefect: OnDefect
}

/** Answers `GET /exports/:token` with the file that the token is for. A HEAD would use it up for nothing. */
export function serveExportDownloads(options: ExportDownloadsOptions): RequestHandler {
  const { open, closing, trustProxyHops, keyless, onDefect } = options
  return Router().all("/exports/:token", async (request, response) => {
    const signal = untilGone(response, closing)
    try {
      if (request.method !== "GET")
        throw new AppError("method_not_allowed", { detail: `Method "${request.method}" not allowed.` })
      keyless.take(readSenderIp(request, trustProxyHops))
      const reply = await open(String(request.params.token), signal)
      await sendPieces(response, { ...reply, headers: { ...reply.headers, ...PRIVATE } }, signal)
    } catch (thrown) {
      if (response.headersSent) {
        if (!(thrown instanceof AppError)) onDefect(thrown)
        response.destroy()
      } else if (!response.destroyed)
        sendReply(response, toErrorReply(toPublicFault(thrown, onDefect), { ...PRIVATE, Allow: "GET" }))
    }
  })
}
