import type { QueryParameterDoc } from "../../../kernel/direct-route.types.js"
import { AppError } from "../../../kernel/errors.js"
import { parseJson } from "../../../kernel/json.js"
import { INTEGER, TEXT } from "../../../kernel/json-schema.js"
import { flag as readSwitch, textList } from "../body-fields.js"
import type { QueryShape } from "../query-parameters.js"
import { readInteger, readText } from "../read-query.js"
import type { RestRequest } from "../rest-route.types.js"

const TYPES = ["boolean", "multivariant", "remote_config"]
const ORDERS = ["created_at", "updated_at", "key", "name", "active", "created_by"]

function readFlagList({ query }: Pick<RestRequest, "query">) {
  const { stale, active } = readActive(query)
  const order = readChoice(query, "order", [...ORDERS, ...ORDERS.map((name) => `-${name}`)])
  return {
    search: readText(query, "search"),
    active,
    filter: {
      type: readChoice(query, "type", TYPES)?.toUpperCase(),
      createdById: readInteger(query, "created_by_id") ?? readInteger(query, "created_by"),
      evaluationRuntime: readText(query, "evaluation_runtime"),
      tags: readTags(query),
      stale,
    },
    ...(order !== undefined && {
      orderBy: order.replace(/^-/, "").toUpperCase(),
      descending: order.startsWith("-"),
    }),
  }
}

/** `STALE` beside true and false: active, but no longer needed. */
function readActive(query: URLSearchParams): { active?: boolean; stale?: boolean } {
  const text = readText(query, "active")
  if (text === undefined) return {}
  return text.toUpperCase() === "STALE" ? { active: true, stale: true } : { active: readSwitch(text, "active") }
}

function readChoice(query: URLSearchParams, name: string, choices: readonly string[]): string | undefined {
  const text = readText(query, name)
  if (text === undefined || choices.includes(text)) return text
  throw new AppError("invalid_choice", { attr: name, detail: `${name} must be one of: ${choices.join(", ")}.` })
}

/** A JSON list, or one label as it is. */
function readTags(query: URLSearchParams): string[] | undefined {
  const text = readText(query, "tags")
  if (text === undefined) return undefined
  if (!text.startsWith("[")) return [text]
  try {
    return textList(parseJson(text), "tags")
  } catch {
    throw new AppError("invalid_input", { attr: "tags", detail: "tags must be a JSON list of texts, or one text." })
  }
}

const PARAMETERS: readonly QueryParameterDoc[] = [
  { name: "search", description: "Part of key or name, any case.", schema: TEXT },
  { name: "active", description: "true, false, or STALE: active, and had its day.", schema: TEXT },
  { name: "type", description: `One of ${TYPES.join(", ")}.`, schema: TEXT },
  { name: "created_by_id", description: "Number of the user who created them.", schema: INTEGER },
  { name: "evaluation_runtime", description: "all, client or server.", schema: TEXT },
  { name: "tags", description: "A JSON list: flags that have any of these labels.", schema: TEXT },
  { name: "order", description: `One of ${ORDERS.join(", ")}; \`-\` in front descends.`, schema: TEXT },
]

/** Which flags a list shows, and in which order. */
export const FLAG_LIST: QueryShape = { docs: PARAMETERS, read: readFlagList }
