import express, { type RequestHandler } from "express"
import { anyOriginHeaders } from "./cors.js"

/** A page goes on this long with a script that was replaced. The SDK asks with its version, a snippet without. */
const MAX_AGE_MS = 3_600_000
const METHODS = "GET, HEAD"

/**
 * Serves the scripts of a browser SDK to pages of any origin, from the folder in which its package has them: the HTML snippet
 * loads `array.js` from its host, and the SDK the recorder and more (`reference/sdk-wire.md` section 2). Passes on what is
 * not there.
 */
export function serveBrowserSdk(directory: string): RequestHandler {
  return express.static(directory, {
    index: false,
    redirect: false,
    maxAge: MAX_AGE_MS,
    setHeaders: (response) =>
      response.setHeaders(new Map(Object.entries(anyOriginHeaders(response.req.headers, METHODS)))),
  })
}
