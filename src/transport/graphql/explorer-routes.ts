import { join } from "node:path"
import express, { type Response, Router } from "express"

/** Where `scripts/build.mjs` puts the explorer; the same from `src` and from `dist`. */
const BUILT = join(import.meta.dirname, "../../../dist/console")

/**
 * Nothing but this server: no inline script, no frame around it, no form that posts. Styles may be inline, because
 * GraphiQL's menus and editor write theirs at run time.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")

/** Serves the explorer, built from `console/`, to browsers at the GraphQL path; passes every other request on. */
export function explorerRoutes(): Router {
  const routes = Router()
  routes.get("/", (request, response, next) => {
    if (!request.headers.accept?.includes("text/html")) return next()
    setPolicy(response)
    response.set({ Vary: "Accept", "Cache-Control": "no-cache" })
    response.sendFile(join(BUILT, "index.html"), { cacheControl: false }, (fault) => fault && next(fault))
  })
  // The names of these files change with their contents.
  const assets = { index: false, redirect: false, immutable: true, maxAge: "1y", setHeaders: setPolicy } as const
  routes.use("/explorer/assets", express.static(join(BUILT, "assets"), assets))
  return routes
}

function setPolicy(response: Pick<Response, "setHeader">): void {
  response.setHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY)
  response.setHeader("X-Content-Type-Options", "nosniff")
  response.setHeader("Referrer-Policy", "no-referrer")
}
