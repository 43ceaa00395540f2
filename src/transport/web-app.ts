import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express"
import { AppError } from "../kernel/errors.js"
import { consoleRoutes } from "./console-routes.js"
import { compressReply } from "./wire/compress-reply.js"
import { anyOriginHeaders } from "./wire/cors.js"
import { tagReply } from "./wire/entity-tag.js"
import { type OnDefect, toPublicFault } from "./wire/public-fault.js"
import { sendReply, toErrorReply } from "./wire/send-reply.js"

export interface WebAppOptions {
  /** Handler of the GraphQL path. */
  readonly graphql: RequestHandler
  /** Health and metrics; passes on what is not its own. */
  readonly health: RequestHandler
  /** The OpenAPI document, served at `/api/schema/`. */
  readonly openApi: Readonly<Record<string, unknown>>
  /** Paths for pages of this server; passes on every other path. */
  readonly browserRoutes?: RequestHandler
  /** Files of exports; passes on every other path. */
  readonly exportDownloads?: RequestHandler
  /** Scripts of a browser SDK, served under `/static`; passes on what it does not have. */
  readonly browserSdk?: RequestHandler | null
  /** The same with the settings of a project; passes on every other path. */
  readonly browserBundle?: RequestHandler | null
  readonly onDefect: OnDefect
}

/** Express for all that is not hot: the console, health, GraphQL, and the 404 of every other path. */
export function createWebApp(options: WebAppOptions): Express {
  const { graphql, health, openApi, browserRoutes, exportDownloads, browserSdk, browserBundle, onDefect } = options
  const app = express()
  app.disable("x-powered-by")
  app.disable("etag")
  app.use(consoleRoutes())
  app.use(health)
  app.get("/", (_request, response) =>
    sendReply(response, {
      status: 200,
      body: { name: "Waymark", graphql: "/graphql", rest: "/api/schema/", health: "/_readyz" },
    }),
  )
  app.use("/graphql", graphql)
  const document = { status: 200, headers: { "Content-Type": "application/json" }, body: JSON.stringify(openApi) }
  app.get("/api/schema", async ({ headers }, response) =>
    sendReply(response, await compressReply(tagReply(document, headers), headers)),
  )
  if (browserRoutes !== undefined) app.use(browserRoutes)
  if (exportDownloads !== undefined) app.use(exportDownloads)
  if (browserSdk != null) app.use("/static", browserSdk)
  if (browserBundle != null) app.use(browserBundle)
  // Browser SDKs ask for more than there is. A page has to see that it is not there, or it asks again and again.
  app.use((request, response) => {
    const query = new URLSearchParams(/\?(.*)/.exec(request.url)?.[1])
    const headers = anyOriginHeaders(request.headers, "GET, POST", query)
    const isPreflight = request.method === "OPTIONS" && "access-control-request-method" in request.headers
    if (isPreflight) return sendReply(response, { status: 204, headers })
    sendReply(response, toErrorReply(toPublicFault(new AppError("not_found"), onDefect), headers))
  })
  const onError: ErrorRequestHandler = (thrown, _request, response, _next) => {
    // What was still at work when the server stopped has been answered by then.
    if (response.writableEnded && isTooLate(thrown)) return
    const fault = isMalformedPath(thrown) ? new AppError("not_found") : thrown
    sendReply(response, toErrorReply(toPublicFault(fault, onDefect)))
  }
  app.use(onError)
  return app
}

const isTooLate = (thrown: unknown): boolean =>
  (thrown as NodeJS.ErrnoException | null)?.code === "ERR_HTTP_HEADERS_SENT"

/** Express decodes paths itself and throws on a broken percent escape. */
const isMalformedPath = (thrown: unknown): boolean => thrown instanceof URIError
