import type { Request } from "express"
import { AppError } from "../../kernel/errors.js"
import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.js"
import { parseJsonBody } from "../wire/json-body.js"
import type { OperationRequest } from "./check-operation.js"

/** The operation of a request whose body is read: of the body when it is posted, else of the link. @throws AppError invalid_input, parse_error. */
export function readOperation(request: Request): OperationRequest {
  const isPosted = request.method === "POST"
  const sent: Json = isPosted ? (request.body as Json) : (request.query as JsonObject)
  const { query, operationName, variables: given } = isJsonObject(sent) ? sent : {}
  if (typeof query !== "string") throw new AppError("invalid_input", { attr: "query", detail: "query must be a text." })
  const variables = !isPosted && typeof given === "string" ? (parseJsonBody(Buffer.from(given)) as Json) : given
  if (variables != null && !isJsonObject(variables))
    throw new AppError("invalid_input", { attr: "variables", detail: "variables must be an object." })
  return { query, operationName: typeof operationName === "string" ? operationName : null, variables }
}
