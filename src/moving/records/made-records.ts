import { isJsonObject, type JsonObject, parseJson } from "../../kernel/json.js"
import { StartupError } from "../../platform/embedded/startup-error.js"
import type { Waymark } from "../wire/waymark.js"
import { findLack, findName, toDashboardInput, toInsightInput, toRestBody } from "./record-input.js"
import { type KnownRecords, MissingReference, type RecordKind, translateReferences } from "./record-kinds.js"

/** What became of a record: its number or short id in the project, or why it is not there. */
export type Made = { readonly id: string } | { readonly refusal: string }

const MEMBERS_AT_ONCE = 1_000
const PAGE = 1_000
const LISTS = {
  insights: `query ($projectId: ID!, $after: String) { found: insights(projectId: $projectId, first: ${PAGE}, after: $after) {
    nodes { id: shortId name } pageInfo { hasNextPage endCursor } } }`,
  dashboards: `query ($projectId: ID!, $after: String) { found: dashboards(projectId: $projectId, first: ${PAGE}, after: $after) {
    nodes { id: shortId name } pageInfo { hasNextPage endCursor } } }`,
} as const
const MUTATIONS = {
  insights: `mutation ($input: CreateInsightInput!) {
    made: createInsight(input: $input) { record: insight { id: shortId } userErrors { message } } }`,
  dashboards: `mutation ($input: CreateDashboardInput!) {
    made: createDashboard(input: $input) { record: dashboard { id: shortId } userErrors { message } } }`,
} as const

/** Ids of the records of a kind that the project has, by name, in the order of the server's list. */
export async function listByName(target: Waymark, kind: RecordKind): Promise<Map<string, string[]>> {
  const records =
    kind === "insights" || kind === "dashboards" ? await listInGraph(target, kind) : await target.list(`${kind}/`)
  const byName = new Map<string, string[]>()
  for (const record of records) {
    const name = findName(kind, record)
    byName.set(name, [...(byName.get(name) ?? []), toOwnId(kind, record)])
  }
  return byName
}

async function listInGraph(target: Waymark, kind: keyof typeof LISTS): Promise<JsonObject[]> {
  const records: JsonObject[] = []
  for (let after: string | null = null, isLast = false; !isLast; ) {
    const { data, fault } = await target.graphql(LISTS[kind], { projectId: target.options.projectKey, after })
    const found = isJsonObject(data.found) ? data.found : {}
    if (!Array.isArray(found.nodes) || !isJsonObject(found.pageInfo))
      throw new StartupError(`The ${kind} of the project cannot be read: ${fault}`)
    records.push(...found.nodes.filter(isJsonObject))
    isLast = found.pageInfo.hasNextPage !== true
    after = String(found.pageInfo.endCursor)
  }
  return records
}

/** Makes a record of the source in the project. What it refers to has to be there already. */
export async function makeRecord(
  target: Waymark,
  kind: RecordKind,
  record: JsonObject,
  known: KnownRecords,
): Promise<Made> {
  const lack = findLack(kind, record)
  if (lack !== null) return { refusal: lack }
  try {
    if (kind === "insights") return await makeInGraph(target, kind, translated(toInsightInput(record), known))
    if (kind === "dashboards")
      return await makeInGraph(target, kind, translated(toDashboardInput(record, known.insights), known))
    const { status, text } = await target.tryPost(`${kind}/`, translated(toRestBody(kind, record), known))
    const answer = parseJson(text)
    if (status === 201 && isJsonObject(answer)) return { id: toOwnId(kind, answer) }
    return { refusal: isJsonObject(answer) ? `${answer.attr ?? ""} ${answer.detail ?? text}`.trim() : text }
  } catch (error) {
    if (error instanceof MissingReference) return { refusal: error.message }
    throw error
  }
}

/**
 * Puts into a record of the project what belongs to it and is no part of it: members of a static cohort, and recordings
 * of a collection, those last that were first there. May be repeated.
 */
export async function fillRecord(
  target: Waymark,
  kind: RecordKind,
  id: string,
  { members = null, recordings = null }: JsonObject,
): Promise<void> {
  if (kind === "cohorts" && Array.isArray(members)) {
    const persons = members.filter(isJsonObject)
    const ids = persons.flatMap(({ distinct_ids: all }) => (Array.isArray(all) ? all.slice(0, 1) : []))
    for (let from = 0; from < ids.length; from += MEMBERS_AT_ONCE)
      await target.post(`cohorts/${id}/members/`, { distinct_ids: ids.slice(from, from + MEMBERS_AT_ONCE) })
  }
  if (kind === "session_recording_playlists" && Array.isArray(recordings))
    for (const recording of recordings.toReversed())
      await target.post(`${kind}/${id}/recordings/${encodeURIComponent(String(recording))}/`, {})
}

/** What operations know a record of the project by. */
const toOwnId = (kind: RecordKind, { id = null, short_id: shortId = null }: JsonObject): string =>
  String(kind === "session_recording_playlists" ? shortId : id)

async function makeInGraph(target: Waymark, kind: keyof typeof MUTATIONS, input: JsonObject): Promise<Made> {
  const projectId = target.options.projectKey
  const { data, fault } = await target.graphql(MUTATIONS[kind], { input: { ...input, projectId } })
  const { record = null, userErrors = [] } = isJsonObject(data.made) ? data.made : {}
  if (isJsonObject(record)) return { id: String(record.id) }
  const messages = Array.isArray(userErrors)
    ? userErrors.filter(isJsonObject).map(({ message }) => String(message))
    : []
  return { refusal: [...messages, ...(fault === null ? [] : [fault])].join(" ") }
}

function translated(input: JsonObject, known: KnownRecords): JsonObject {
  const result = translateReferences(input, known)
  return isJsonObject(result) ? result : {}
}
