import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express"
import { AppError } from "../kernel/errors.js"
import type { OnDefect } from "./graphql/present-graphql-error.js"
import { toPublicFault } from "./public-fault.js"
import { sendReply, toErrorReply } from "./wire-reply.js"

export interface WebAppOptions {
  /** Handler of the GraphQL path. */
  readonly graphql: RequestHandler
  /** Health and metrics; passes on what is not its own. */
  readonly health: RequestHandler
  /** The OpenAPI document, served at `/api/schema/`. */
  readonly openApi: Readonly<Record<string, unknown>>
  readonly onDefect: OnDefect
}

/** Express for all that is not hot: health, GraphQL, and the 404 of every other path. */
export function createWebApp({ graphql, health, openApi, onDefect }: WebAppOptions): Express {
  const app = express()
  app.disable("x-powered-by")
  app.disable("etag")
  app.use(health)
  app.use("/graphql", graphql)
  app.get("/api/schema", (_request, response) => sendReply(response, { status: 200, body: openApi }))
  app.use((_request, response) => {
    sendReply(response, toErrorReply(toPublicFault(new AppError("not_found"), onDefect)))
  })
  const onError: ErrorRequestHandler = (thrown, _request, response, _next) => {
    const fault = isMalformedPath(thrown) ? new AppError("not_found") : thrown
    sendReply(response, toErrorReply(toPublicFault(fault, onDefect)))
  }
  app.use(onError)
  return app
}

/** Express decodes paths itself and throws on a broken percent escape. */
const isMalformedPath = (thrown: unknown): boolean => thrown instanceof URIError
