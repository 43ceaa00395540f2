import { type ApolloServer, HeaderMap } from "@apollo/server"
import type { Request, RequestHandler, Response } from "express"
import type { Reply } from "../../kernel/reply.js"
import type { RequestContext } from "../../kernel/request-context.js"
import { compressReply } from "../wire/compress-reply.js"
import { sendReply } from "../wire/send-reply.js"

/**
 * Makes the handler that has Apollo execute what the handlers before it have let through, and sends the answer
 * compressed as the client accepts it.
 */
export function answerOperation(apollo: ApolloServer<RequestContext>): RequestHandler {
  return async (request, response) => {
    const reply = await execute(apollo, request, response)
    sendReply(response, await compressReply(reply, request.headers))
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
  const { "content-type": mediaType, "content-length": _length, ...others } = Object.fromEntries(headers)
  return { status: status ?? 200, headers: { ...others, "Content-Type": mediaType ?? "" }, body: body.string }
}

function toHeaderMap({ headers }: Request): HeaderMap {
  const map = new HeaderMap()
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(", ") : value)
  return map
}
