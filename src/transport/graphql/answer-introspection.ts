import type { Request, RequestHandler } from "express"
import type { DocumentNode } from "graphql"
import type { Reply } from "../../kernel/reply.js"
import type { RequestContext } from "../../kernel/request-context.js"
import { compressReply } from "../wire/compress-reply.js"
import { sendReply } from "../wire/send-reply.js"
import { checkOperation, type OperationRequest } from "./check-operation.js"
import { findSchemaPart, type IntrospectionAnswer } from "./introspection.js"
import { describeUse } from "./operation-extensions.js"
import { presentAppError } from "./present-graphql-error.js"
import { readOperation } from "./read-operation.js"
import type { SocketRules } from "./socket-protocol.js"

const MEDIA_TYPES = ["application/json", "application/graphql-response+json"]

/**
 * Makes the handler of questions about the schema over HTTP: answers are written as the bytes that were made for the first who
 * asked, without Apollo. Passes on every other operation, and what is wrong with one, for Apollo to say.
 */
export function answerIntrospection(rules: SocketRules): RequestHandler {
  return async (request, response, next) => {
    const context: RequestContext = response.locals.context
    /** Null for what is no GraphQL. */
    const document: DocumentNode | null = response.locals.document
    const mediaType = request.method === "HEAD" ? false : request.accepts(MEDIA_TYPES)
    const operation = document === null ? null : readOrLeave(request)
    if (document === null || operation === null || mediaType === false) return next()
    if (findSchemaPart(document, operation.operationName) === "none") return next()
    const checked = checkOperation(rules, operation)
    if ("errors" in checked) return next()
    try {
      const answer = rules.introspect(checked.args, context)
      if (answer === null) return next()
      const reply = await compressReply(
        toReply(mediaType, answer, describeUse(checked.extensions, context)),
        request.headers,
      )
      sendReply(response, reply)
    } catch (thrown) {
      const { status, error } = presentAppError(thrown, rules.onDefect)
      sendReply(response, { status, body: { errors: [error] } })
    }
  }
}

function readOrLeave(request: Request): OperationRequest | null {
  try {
    return readOperation(request)
  } catch {
    return null
  }
}

function toReply(mediaType: string, { bytes }: IntrospectionAnswer, extensions: object): Reply {
  const end = Buffer.from(`,"extensions":${JSON.stringify(extensions)}}\n`)
  const headers = { "Cache-Control": "no-store", "Content-Type": `${mediaType}; charset=utf-8` }
  return { status: 200, headers, body: Buffer.concat([bytes, end]) }
}
