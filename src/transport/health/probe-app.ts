import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express"
import { AppError } from "../../kernel/errors.js"
import { type OnDefect, toPublicFault } from "../wire/public-fault.js"
import { sendReply, toErrorReply } from "../wire/send-reply.js"

export interface ProbeAppOptions {
  /** Health and metrics; passes on what is not its own. */
  readonly health: RequestHandler
  /** What the process does instead of answering requests. */
  readonly roles: Iterable<string>
  readonly onDefect: OnDefect
}

const RETRY_AFTER_SECONDS = 10

/**
 * Express of a process without the role `web`: probes, and 503 for everything else
 * (`docs/contract/faults.md#processes-without-the-role-web`). Not 404, on which clients would give up
 * what they hold: whoever sends requests here has the wrong address, and is to try again once that is mended.
 */
export function createProbeApp({ health, roles, onDefect }: ProbeAppOptions): Express {
  const app = express()
  app.disable("x-powered-by")
  app.disable("etag")
  app.use(health)
  const detail = `This process answers no requests: its ROLES are ${[...roles].join(",")}. Ask one that has the role web.`
  const refuse = (thrown: unknown) => toErrorReply(toPublicFault(thrown, onDefect))
  app.use((_request, response) =>
    sendReply(response, refuse(new AppError("store_unavailable", { detail, retryAfterSeconds: RETRY_AFTER_SECONDS }))),
  )
  const onError: ErrorRequestHandler = (thrown, _request, response, _next) => sendReply(response, refuse(thrown))
  app.use(onError)
  return app
}
