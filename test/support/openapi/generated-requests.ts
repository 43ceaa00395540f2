import { sampleOf } from "../matrix/json-schema-sample.js"
import { idFor, type RecordIds, UNKNOWN_IDS } from "../matrix/planted-records.js"
import { PROJECT_KEY } from "../waymark-process.js"
import type { OpenApiDocument, OperationObject, Schema } from "./document.js"

/** A request made from the document. */
export interface GeneratedRequest {
  readonly operation: OperationObject
  readonly method: string
  readonly path: string
  /** Undefined sends none. Text goes as it is. */
  readonly body?: unknown
  readonly contentType?: string
  /** What about it is special, for whoever reads a failure. */
  readonly twist: string
}

const BROKEN_TEXTS = ["", "nope", "-1", "\u0000", "[{}]", "9".repeat(30), "x".repeat(3000)]
const BROKEN_VALUES: readonly unknown[] = [null, "", "nope", -1, [null], { a: "\u0000" }, "x".repeat(100_000)]

/** Good and broken requests of every operation: each parameter, each property of a body, the body as a whole, the ids. */
export function generateRequests(document: OpenApiDocument, ids: RecordIds): GeneratedRequest[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const schema = operation.requestBody?.content["application/json"]?.schema
      const named = typeof schema?.$ref === "string" ? schema.$ref.split("/").at(-1) : undefined
      const body = named === undefined ? schema : document.components.schemas[named]
      return requestsOf(path, method.toUpperCase(), operation, body, ids)
    }),
  )
}

function requestsOf(
  path: string,
  method: string,
  operation: OperationObject,
  schema: Schema | undefined,
  ids: RecordIds,
): GeneratedRequest[] {
  const isWriting = method !== "GET"
  const sample = schema === undefined ? undefined : sampleOf(schema)
  const body = isRecord(sample) && "api_key" in sample ? { ...sample, api_key: PROJECT_KEY } : sample
  // What is deleted or changed must be there for the next request too.
  const good = fillPath(path, method === "DELETE" ? UNKNOWN_IDS : ids)
  const request = (twist: string, changes: Partial<GeneratedRequest> = {}): GeneratedRequest => ({
    operation,
    method,
    path: good,
    twist,
    ...(body === undefined ? {} : { body }),
    ...changes,
  })
  const queries = operation.parameters
    .filter((parameter) => parameter.in === "query")
    .flatMap(({ name, schema: wanted }) =>
      [...goodTexts(wanted), ...BROKEN_TEXTS].map((value) =>
        request(`${name}=${value.slice(0, 40)}`, { path: `${good}?${new URLSearchParams({ [name]: value })}` }),
      ),
    )
  const pathTwists = ["nope", "0", "-1", "%00", "9".repeat(30), "%F0%9F%99%82"].map((value) =>
    request(`ids ${value.slice(0, 40)}`, {
      path: path.replaceAll(/\{(?!project_id)\w+\}/g, value).replace("{project_id}", "1"),
    }),
  )
  return [
    request("good"),
    request("unknown ids", { path: fillPath(path, UNKNOWN_IDS) }),
    ...(path.includes("{") ? pathTwists : []),
    ...queries,
    ...(isWriting ? bodiesOf(schema, body).map((changes) => request(changes.twist, changes)) : []),
  ]
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

function bodiesOf(
  schema: Schema | undefined,
  body: unknown,
): Pick<GeneratedRequest, "twist" | "body" | "contentType">[] {
  const wholes = [
    { twist: "no body", body: undefined },
    { twist: "a list as body", body: [] },
    { twist: "null as body", body: "null" },
    { twist: "half a body", body: '{"a":' },
    { twist: "deep body", body: `${"[".repeat(50_000)}` },
    { twist: "a form", body: "a=b", contentType: "application/x-www-form-urlencoded" },
  ]
  const properties = Object.entries((schema?.properties ?? {}) as Readonly<Record<string, Schema>>)
  const singles = properties.flatMap(([name, inner]) =>
    [sampleOf(inner), ...BROKEN_VALUES].map((value) => ({
      twist: `${name}: ${JSON.stringify(value)?.slice(0, 40)}`,
      body: { ...(body as object), [name]: value },
    })),
  )
  return [...wholes, ...singles]
}

function goodTexts({ type, enum: choices }: Schema): string[] {
  if (Array.isArray(choices)) return choices.map(String)
  if (type === "boolean") return ["true", "false"]
  return type === "integer" ? ["1"] : ["a"]
}

function fillPath(path: string, ids: RecordIds): string {
  const segments = path.split("/")
  return segments
    .map((segment, index) => {
      if (segment === "{project_id}") return "1"
      if (segment === "{token}") return PROJECT_KEY
      return segment.startsWith("{") ? idFor(ids, segments[index - 1] ?? "", segment) : segment
    })
    .join("/")
}
