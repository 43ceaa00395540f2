import { readFile } from "node:fs/promises"
import type { IncomingMessage } from "node:http"
import { join } from "node:path"
import express, { type RequestHandler, Router } from "express"
import { AppError } from "../kernel/errors.js"
import type { Reply } from "../kernel/reply.js"
import { anyOriginHeaders } from "./wire/cors.js"
import { type OnDefect, toPublicFault } from "./wire/public-fault.js"
import { sendReply, toErrorReply } from "./wire/send-reply.js"

/** A page goes on this long with a script that was replaced. The SDK asks with its version, a snippet without. */
const MAX_AGE_MS = 3_600_000
const METHODS = "GET, HEAD"
/** As the settings beside it, which are a row of the table. */
const BUNDLE_METHODS = "GET, HEAD, OPTIONS"
const ALLOWED = { Allow: BUNDLE_METHODS }

/** An installed browser SDK. */
export interface BrowserSdk {
  readonly directory: string
  /** Such as `1.449.2`; null when it is not known. */
  readonly version: string | null
}

/**
 * Serves the scripts of a browser SDK to pages of any origin, from the folder in which its package has them: the HTML
 * snippet loads `array.js` from its host, and the SDK the recorder and more, first below its own version
 * (`docs/contract/sdk-wire.md#paths-that-sdks-call`). Passes on what is not there.
 */
export function serveBrowserSdk({ directory, version }: BrowserSdk): RequestHandler {
  const files = express.static(directory, {
    index: false,
    redirect: false,
    maxAge: MAX_AGE_MS,
    setHeaders: (response) =>
      response.setHeaders(new Map(Object.entries(anyOriginHeaders(response.req.headers, METHODS)))),
  })
  const router = Router()
  if (version !== null) router.use(`/${version}`, files)
  return router.use(files)
}

/** What a project's bundle is made of. */
export interface BrowserBundle extends Pick<BrowserSdk, "directory"> {
  /** The settings of the project that has a key, as a script; throws AppError not_found for a key nobody has. */
  readonly settingsScript: (token: string, request: IncomingMessage) => Promise<Reply>
  readonly onDefect: OnDefect
}

/**
 * Serves `/array/:token/array.js`: the settings of a project with the SDK behind them, which then has no need to load
 * them (`docs/contract/flags.md#browser-configuration`).
 */
export function serveBrowserBundle({ directory, settingsScript, onDefect }: BrowserBundle): RequestHandler {
  return Router().all("/array/:token/array.js", async (request, response) => {
    const { method } = request
    const shared = { ...anyOriginHeaders(request.headers, BUNDLE_METHODS), ...(isRead(method) ? {} : ALLOWED) }
    if (method === "OPTIONS") return sendReply(response, { status: 200 }, shared)
    try {
      if (!isRead(method)) throw new AppError("method_not_allowed", { detail: `Method "${method}" not allowed.` })
      const settings = await settingsScript(String(request.params.token), request)
      const sdk = await readFile(join(directory, "array.js"), "utf8")
      sendReply(response, { ...settings, body: `${settings.body}\n${sdk}` }, shared)
    } catch (thrown) {
      sendReply(response, toErrorReply(toPublicFault(thrown, onDefect)), shared)
    }
  })
}

const isRead = (method: string): boolean => method === "GET" || method === "HEAD"
