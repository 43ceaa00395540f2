import { extname, join } from "node:path"
import express, { type RequestHandler, type Response, Router } from "express"
import { chooseEncoding } from "./wire/compress-reply.js"

/** Where `scripts/build.mjs` puts the console; the same from `src` and from `dist`. */
const BUILT = join(import.meta.dirname, "../../dist/console")

/**
 * First parts of the paths of the console's pages (console/src/router.tsx). They are listed, so that no path of an API,
 * whether it is there or not, ever answers with a page.
 */
const PAGES = ["project", "account", "sign-in", "welcome", "invitation", "reset-password", "shared"]

/** Where the explorer was before it became a page of the console. */
const EXPLORER_PATHS = ["/graphql", "/graphql/explorer"]
const EXPLORER_PAGE = "/project/@current/graphql"

/**
 * Nothing but this server: no inline script, no frame around it, no form that posts. Styles may be inline, because
 * components place what they open, and editors their lines, at run time.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")

/**
 * Of the frame in which recorded pages are shown, which strangers wrote: nothing is loaded from anywhere, this server
 * not excepted, no script runs and nothing navigates. Frames that are made inside of it inherit this.
 */
const REPLAY_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "font-src data:",
  "media-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "sandbox allow-same-origin",
].join("; ")
const REPLAY_PATH = "/replay-frame"
const REPLAY_PAGE = '<!doctype html><html lang="en"><title>Replay</title><body></body></html>'

/** What the build has put beside each asset, by encoding. */
const SUFFIXES = { br: ".br", gzip: ".gz", identity: "" } as const

/**
 * Serves the console, built from `console/`: one page at all of its paths, to those who want a page, and its assets.
 * Passes every other request on.
 */
export function consoleRoutes(): RequestHandler {
  const routes = Router()
  const isForPeople: RequestHandler = ({ headers }, _response, next) =>
    next(headers.accept?.includes("text/html") ? undefined : "router")
  // The names of these files change with their contents.
  const assets = express.static(join(BUILT, "assets"), {
    index: false,
    redirect: false,
    immutable: true,
    maxAge: "1y",
    setHeaders: describeAsset,
  })
  routes.use("/assets", (request, response, next) => {
    request.url += SUFFIXES[chooseEncoding(request.headers["accept-encoding"])]
    assets(request, response, next)
  })
  routes.use(isForPeople)
  routes.get(REPLAY_PATH, (_request, response) => {
    setPolicy(response, REPLAY_POLICY)
    response.set({ "Cache-Control": "no-cache", "X-DNS-Prefetch-Control": "off" }).send(REPLAY_PAGE)
  })
  routes.get(EXPLORER_PATHS, ({ url }, response) => response.redirect(EXPLORER_PAGE + new URL(url, "http://h").search))
  routes.get(["/", ...PAGES.map((page) => `/${page}{/*rest}`)], (_request, response, next) => {
    setPolicy(response)
    response.set({ Vary: "Accept", "Cache-Control": "no-cache" })
    response.sendFile("index.html", { root: BUILT, cacheControl: false }, (fault) => fault && next(fault))
  })
  return routes
}

/** The headers of an asset, whose path may be that of its compressed form. */
function describeAsset(response: Response, path: string): void {
  const encoding = path.endsWith(SUFFIXES.br) ? "br" : path.endsWith(SUFFIXES.gzip) ? "gzip" : null
  setPolicy(response)
  response.type(extname(encoding === null ? path : path.slice(0, -SUFFIXES[encoding].length)))
  response.set({ Vary: "Accept-Encoding", ...(encoding && { "Content-Encoding": encoding }) })
}

function setPolicy(response: Response, policy = CONTENT_SECURITY_POLICY): void {
  response.set({
    "Content-Security-Policy": policy,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
  })
}
