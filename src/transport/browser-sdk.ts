import express, { type RequestHandler, Router } from "express"
import { anyOriginHeaders } from "./cors.js"

/** A page goes on this long with a script that was replaced. The SDK asks with its version, a snippet without. */
const MAX_AGE_MS = 3_600_000
const METHODS = "GET, HEAD"

/** An installed browser SDK. */
export interface BrowserSdk {
  readonly directory: string
  /** Such as `1.449.2`; null when it is not known. */
  readonly version: string | null
}

/**
 * Serves the scripts of a browser SDK to pages of any origin, from the folder in which its package has them: the HTML snippet
 * loads `array.js` from its host, and the SDK the recorder and more, first below its own version (`reference/sdk-wire.md`
 * section 2). Passes on what is not there.
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
