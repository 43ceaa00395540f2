import { type ApolloServer, HeaderMap } from "@apollo/server"
import type { Request, RequestHandler, Response } from "express"
import type { DocumentNode } from "graphql"
import type { Reply } from "../../kernel/reply.js"
import type { RequestContext } from "../../kernel/request-context.js"
import { inSpan } from "../../kernel/trace.js"
import { compressReply } from "../wire/compress-reply.js"
import { hasEntityTag } from "../wire/entity-tag.js"
import { sendReply } from "../wire/send-reply.js"
import { toOperationSpan } from "./operation-span.js"

/**
 * Makes the handler that has Apollo execute what the handlers before it have let through, and sends the answer
 * compressed as the client accepts it.
 */
export function answerOperation(apollo: ApolloServer<RequestContext>): RequestHandler {
  return async (request, response) => {
    const document: DocumentNode | null = response.locals.document
    const run = () => execute(apollo, request, response)
    const reply = await (document === null
      ? run()
      : inSpan(toOperationSpan(document, request.body.operationName, "http"), run))
    const tag = reply.headers?.Etag
    const isKnown = tag !== undefined && hasEntityTag(request.headers, tag)
    const answer = isKnown ? { status: 304, headers: reply.headers } : await compressReply(reply, request.headers)
    sendReply(response, answer)
  }
}

async function execute(apollo: ApolloServer<RequestContext>, request: Request, response: Response): Promise<Reply> {
  const { status, headers, body } = await apollo.executeHTTPGraphQLRequest({
    httpGraphQLRequest: {
      method: request.method,
      headers: toHeaderMap(request),
      search: /\?.*/.exec(request.url)?.[0] ?? "",
      body: request.body,
    },
    context: async () => response.locals.context as RequestContext,
  })
  // graphql-js 16 has no @defer and no @stream.
  if (body.kind === "chunked") throw new Error("an answer came in parts")
  const named = [...headers].map(([name, value]) => [toHeaderName(name), value] as const)
  const { "Content-Length": _, ...own } = Object.fromEntries(named)
  return { status: status ?? 200, headers: own, body: body.string }
}

/** Apollo writes `content-type`, everybody else here `Content-Type`. */
const toHeaderName = (name: string): string => name.replaceAll(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase())

function toHeaderMap({ headers }: Request): HeaderMap {
  const map = new HeaderMap()
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(", ") : value)
  return map
}
