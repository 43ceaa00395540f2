import { createHash } from "node:crypto"
import { type Request, type Response, Router } from "express"
import { CHART_SCRIPT } from "./chart-script.js"
import { CLIENT_SCRIPT } from "./client-script.js"
import { COMPLETION_SCRIPT } from "./completion-script.js"
import { DOCS_SCRIPT } from "./docs-script.js"
import { EDITOR_SCRIPT } from "./editor-script.js"
import { EXAMPLES_SCRIPT } from "./examples-script.js"
import { EXPLORER_PAGE } from "./explorer-page.js"
import { EXPLORER_STYLE } from "./explorer-style.js"
import { HIGHLIGHT_SCRIPT } from "./highlight-script.js"
import { MAIN_SCRIPT } from "./main-script.js"
import { PICTURE_SCRIPT } from "./picture-script.js"
import { PICTURE_STYLE } from "./picture-style.js"
import { SCHEMA_SCRIPT } from "./schema-script.js"
import { TABLE_SCRIPT } from "./table-script.js"

interface Asset {
  readonly type: string
  readonly text: string
  readonly etag: string
}

const asset = (type: string, text: string): Asset => ({
  type: `${type}; charset=utf-8`,
  text,
  etag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`,
})

const PAGE = asset("text/html", EXPLORER_PAGE)
const ASSETS = new Map([
  ["style.css", asset("text/css", EXPLORER_STYLE + PICTURE_STYLE)],
  ["main.js", asset("text/javascript", MAIN_SCRIPT)],
  ["client.js", asset("text/javascript", CLIENT_SCRIPT)],
  ["schema.js", asset("text/javascript", SCHEMA_SCRIPT)],
  ["docs.js", asset("text/javascript", DOCS_SCRIPT)],
  ["editor.js", asset("text/javascript", EDITOR_SCRIPT)],
  ["completion.js", asset("text/javascript", COMPLETION_SCRIPT)],
  ["highlight.js", asset("text/javascript", HIGHLIGHT_SCRIPT)],
  ["picture.js", asset("text/javascript", PICTURE_SCRIPT)],
  ["chart.js", asset("text/javascript", CHART_SCRIPT)],
  ["table.js", asset("text/javascript", TABLE_SCRIPT)],
  ["examples.js", asset("text/javascript", EXAMPLES_SCRIPT)],
])

/** Nothing but this server: no inline script, no frame around it, no form that posts. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Serves the explorer to browsers at the GraphQL path; passes every other request on. */
export function explorerRoutes(): Router {
  const routes = Router()
  routes.get("/", (request, response, next) => {
    if (request.headers.accept?.includes("text/html")) send(PAGE, request, response)
    else next()
  })
  routes.get("/explorer/:name", (request, response, next) => {
    const found = ASSETS.get(request.params.name)
    if (found === undefined) next()
    else send(found, request, response)
  })
  return routes
}

function send({ type, text, etag }: Asset, request: Request, response: Response): void {
  response.set({
    "Content-Type": type,
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
    ETag: etag,
    Vary: "Accept",
  })
  if (request.headers["if-none-match"] === etag) response.status(304).end()
  else response.send(text)
}
