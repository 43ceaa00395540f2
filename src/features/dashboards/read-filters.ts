import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import { isJsonObject, type Json, type JsonObject, toStorableJson } from "../../kernel/json.js"
import type { QueriesService } from "../queries/index.js"

const NAMES: readonly string[] = ["date_from", "date_to", "properties"]
const MAX_LENGTH = 20_000
/** Any query that has dates and properties: the filters are read as they will be over an insight. */
const READING = { kind: "TrendsQuery", series: [{ kind: "EventsNode" }] }

/**
 * Filters of a dashboard in the form that is stored: what is said of dates and properties.
 * @throws AppError invalid_input naming the field.
 */
export async function readFilters(
  queries: Pick<QueriesService, "check">,
  projectId: ProjectId,
  filters: Json,
): Promise<JsonObject> {
  if (!isJsonObject(filters)) throw refuse("filters", "must be an object")
  const unknown = Object.keys(filters).find((name) => !NAMES.includes(name))
  if (unknown !== undefined) throw refuse(`filters__${unknown.slice(0, 40)}`, `is none of ${NAMES.join(", ")}`)
  if (JSON.stringify(filters).length > MAX_LENGTH)
    throw refuse("filters", `must be at most ${MAX_LENGTH} characters of JSON`)
  await checkFilters(queries, projectId, filters)
  const said = Object.entries(filters).filter(([, value]) => value !== null)
  return toStorableJson(Object.fromEntries(said))
}

async function checkFilters(queries: Pick<QueriesService, "check">, projectId: ProjectId, filters: JsonObject) {
  try {
    await queries.check(projectId, READING, filters)
  } catch (fault) {
    if (!(fault instanceof AppError) || fault.code !== "invalid_input") throw fault
    const attr = fault.details.attr?.replace(/^(?:query|filters_override)/, "filters") ?? "filters"
    throw new AppError("invalid_input", { attr, detail: fault.message, cause: fault })
  }
}

const refuse = (attr: string, rule: string): AppError =>
  new AppError("invalid_input", { attr, detail: `${attr.replaceAll("__", ".")} ${rule}.` })
