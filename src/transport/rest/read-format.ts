import { AppError } from "../../kernel/errors.js"
import type { Reply } from "../../kernel/reply.js"
import { acceptedRanges } from "../wire/accepts.js"
import type { QueryShape } from "./query-parameters.js"
import { readText } from "./read-query.js"
import type { RestRequest } from "./rest-route.types.js"

/** The parameter that asks for a list as a file: variable `csv`. */
export const FORMAT: QueryShape = {
  docs: [
    {
      name: "format",
      description: "Form of the answer; `Accept: text/csv` asks for CSV too.",
      schema: { type: "string", enum: ["csv", "json"], default: "json" },
    },
  ],
  read: (request) => ({ csv: readFormat(request) === "csv" }),
}

/** @throws AppError not_found for a format there is none of (`docs/contract/management.md#csv`). */
export function readFormat({ query, headers }: Pick<RestRequest, "query" | "headers">): "csv" | "json" {
  const wanted = readText(query, "format") ?? acceptedFormat(headers.accept)
  if (wanted === "csv" || wanted === "json") return wanted
  throw new AppError("not_found", { attr: "format", detail: "There is no such format. Use csv or json." })
}

/** Of the two, the one that is named first; JSON for who names neither. */
const acceptedFormat = (accept: string | undefined): "csv" | "json" =>
  acceptedRanges(accept).find((range) => range === "text/csv" || range === "application/json") === "text/csv"
    ? "csv"
    : "json"

/** A whole CSV file as the reply, with 200. */
export const csvReply = (body: string): Reply => ({
  status: 200,
  headers: { "Content-Type": "text/csv; charset=utf-8" },
  body,
})
