import express from "express"
import type { Registry } from "prom-client"
import { AppError } from "../../kernel/errors.js"
import { createHttpServer, type HttpServer } from "../http-server.js"
import { type OnDefect, toPublicFault } from "../wire/public-fault.js"
import { sendReply, toErrorReply } from "../wire/send-reply.js"
import { createMetricsRoute } from "./health-routes.js"

/** A server for `/metrics` alone, for a port that is not open to everybody. */
export function createMetricsServer(metrics: Registry, onDefect: OnDefect): HttpServer {
  const web = express()
  web.disable("x-powered-by")
  web.use(createMetricsRoute(metrics))
  web.use((_request, response) => sendReply(response, toErrorReply(toPublicFault(new AppError("not_found"), onDefect))))
  return createHttpServer({
    hot: () => false,
    web,
    handleUpgrade: (_request, socket) => socket.destroy(),
    upgradePaths: [],
  })
}
